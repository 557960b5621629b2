import { randomBytes } from 'node:crypto';
import { argon2id, argon2Verify } from 'hash-wasm';

/**
 * The base-2 logarithm of Argon2id's memory in KiB. OWASP's password storage cheat sheet recommends at least 19 MiB for
 * two passes; this is 32 MiB.
 */
export const PASSWORD_COST = 15;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

export interface Passwords {
  /** Argon2id in the PHC string format: `$argon2id$v=19$m=<KiB>,t=<passes>,p=<lanes>$<salt>$<hash>`. */
  hash(password: string): Promise<string>;
  /** Takes the same time whether or not there is a stored hash, so that it does not reveal which accounts exist. */
  matches(password: string, stored: string | undefined): Promise<boolean>;
  /** Whether a hash has another cost than `hash` would give it now. */
  isOutdated(stored: string): boolean;
}

/** New hashes have this cost; a stored one is checked with the cost that it was created with. */
export function passwords(cost = PASSWORD_COST): Passwords {
  const memorySize = 2 ** cost;
  const prefix = `$argon2id$v=19$m=${memorySize},t=${PASSES},p=${LANES}$`;
  const absent = `${prefix}${'A'.repeat(22)}$${'A'.repeat(43)}`;
  return {
    hash: (password) =>
      argon2id({
        password: password.normalize('NFKC'),
        salt: randomBytes(SALT_BYTES),
        ...{ memorySize, iterations: PASSES, parallelism: LANES, hashLength: HASH_BYTES },
        outputType: 'encoded',
      }),
    async matches(password, stored) {
      const isRight = await argon2Verify({ password: password.normalize('NFKC'), hash: stored ?? absent });
      return isRight && stored !== undefined;
    },
    isOutdated: (stored) => !stored.startsWith(prefix),
  };
}
