import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Passkey } from '../../../shared/domains/identity/passkeys/index.ts';

/** The domain that passkeys belong to, and the origins of the pages that may use them. */
export interface RelyingParty {
  rpId: string;
  origins: string[];
}

export interface Credential {
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: string[];
  isSynced: boolean;
}

type Known = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>;

const TIMEOUT_MS = 5 * 60_000;
/** Ed25519, ECDSA with P-256, RSA: what authenticators offer. */
const ALGORITHMS = [-8, -7, -257];

/** A passkey that the browser finds by itself, and that asks its user: possession and knowledge in one. */
export const registrationOptions = (
  { rpId }: RelyingParty,
  user: { id: string; email: string; name: string },
  known: readonly Known[],
) =>
  generateRegistrationOptions({
    rpName: 'Analytics',
    rpID: rpId,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: TIMEOUT_MS,
  });

/** Without `known`, any passkey of the domain. */
export const authenticationOptions = ({ rpId }: RelyingParty, known?: readonly Known[]) =>
  generateAuthenticationOptions({
    rpID: rpId,
    userVerification: 'required',
    timeout: TIMEOUT_MS,
    ...(known ? { allowCredentials: known.map(descriptorOf) } : {}),
  });

/** The new credential, if it was made for this challenge on a page of the application. Throws otherwise. */
export async function verifiedRegistration(
  { rpId, origins }: RelyingParty,
  response: object,
  isExpected: (challenge: string) => Promise<boolean>,
): Promise<Credential> {
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: isExpected,
    expectedOrigin: origins,
    expectedRPID: rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  if (!verified || !registrationInfo) throw new Error('the registration is not verified');
  const { credential, credentialBackedUp } = registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: [...(credential.transports ?? [])],
    isSynced: credentialBackedUp,
  };
}

/** The new counter, if the passkey has signed this challenge on a page of the application. Throws otherwise. */
export async function verifiedAuthentication(
  { rpId, origins }: RelyingParty,
  response: object,
  passkey: Known,
  isExpected: (challenge: string) => Promise<boolean>,
): Promise<number> {
  const { credentialId, publicKey, counter, transports } = passkey;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: isExpected,
    expectedOrigin: origins,
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: {
      id: credentialId,
      publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
      counter,
      transports: transports as never,
    },
  });
  if (!verified) throw new Error('the assertion is not verified');
  return authenticationInfo.newCounter;
}

const descriptorOf = ({ credentialId, transports }: Known) => ({ id: credentialId, transports: transports as never });
