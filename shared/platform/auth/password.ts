import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** The base-2 logarithm of scrypt's N that OWASP's password storage cheat sheet recommends for r=8 and p=3 (32 MiB). */
export const PASSWORD_COST = 15;

export interface Passwords {
  /** `scrypt$<N>$<r>$<p>$<salt>$<hash>`, base64url. */
  hash(password: string): Promise<string>;
  /** Takes the same time whether or not there is a stored hash, so that it does not reveal which accounts exist. */
  matches(password: string, stored: string | undefined): Promise<boolean>;
}

/** New hashes have this cost; a stored one is checked with the cost that it was created with. */
export function passwords(cost = PASSWORD_COST): Passwords {
  const [N, r, p] = [2 ** cost, 8, 3];
  const absent = ['scrypt', N, r, p, 'AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43)].join('$');
  return {
    async hash(password) {
      const salt = randomBytes(16);
      const hash = await derive(password, salt, { N, r, p });
      return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
    },
    async matches(password, stored) {
      const [, storedN, storedR, storedP, salt, hash] = (stored ?? absent).split('$');
      const expected = Buffer.from(hash!, 'base64url');
      const options = { N: Number(storedN), r: Number(storedR), p: Number(storedP) };
      const actual = await derive(password, Buffer.from(salt!, 'base64url'), options);
      return timingSafeEqual(actual, expected) && stored !== undefined;
    },
  };
}

function derive(
  password: string,
  salt: Buffer,
  options: Required<Pick<ScryptOptions, 'N' | 'r' | 'p'>>,
): Promise<Buffer> {
  // Node's default of 32 MiB is slightly too small for the usual cost.
  const maxmem = 256 * options.N * options.r;
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 32, { ...options, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
