/** The public API of this domain; everything else is internal. */
export { endPasskeys, passkeyCleanUps } from './end-passkeys.ts';
export { stillPasskey } from './keys.ts';
export { type Passkey, type Passkeys, passkeys } from './repository.ts';
