import { randomBytes } from 'node:crypto';
import { secretDigest } from '../../../platform/auth/credentials.ts';

const TOKEN = /^pr_([0-9a-f-]{36})_[A-Za-z0-9_-]{43}$/;

/** `pr_<user>_<secret>`: only the digest is stored. */
export function newResetToken(userId: string): { value: string; digest: string } {
  const value = `pr_${userId}_${randomBytes(32).toString('base64url')}`;
  return { value, digest: secretDigest(value) };
}

export function parseResetToken(token: string): { userId: string; digest: string } | undefined {
  const userId = TOKEN.exec(token)?.[1];
  return userId === undefined ? undefined : { userId, digest: secretDigest(token) };
}
