import { createHash, randomBytes } from 'node:crypto';

/** The format of an API key: `ak_` + 8 public characters + `_` + 43 secret ones (256 bits). */
const API_KEY = /^ak_([A-Za-z0-9]{8})_([A-Za-z0-9_-]{43})$/;

export function newApiKey(random: (size: number) => Buffer = randomBytes): { value: string; prefix: string } {
  const prefix = `ak_${random(6).toString('hex').slice(0, 8)}`;
  return { value: `${prefix}_${random(32).toString('base64url')}`, prefix };
}

export function hasApiKeyFormat(token: string): boolean {
  return API_KEY.test(token);
}

/**
 * The digest under which a random 256-bit secret is stored and looked up. A plain SHA-256 suffices for values that
 * cannot be guessed; passwords use Argon2id instead (`password.ts`).
 */
export function secretDigest(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
