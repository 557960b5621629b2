import { randomBytes } from 'node:crypto';
import { secretDigest } from '../../../platform/auth/credentials.ts';

const TOKEN = /^ea_([0-9a-f-]{36})_([0-9a-f-]{36})_[A-Za-z0-9_-]{43}$/;

/** `ea_<user>_<notice>_<secret>`: only the digest is stored. */
export function newAddressToken({ userId, id }: { userId: string; id: string }): { value: string; digest: string } {
  const value = `ea_${userId}_${id}_${randomBytes(32).toString('base64url')}`;
  return { value, digest: secretDigest(value) };
}

export function parseAddressToken(token: string): { userId: string; id: string; digest: string } | undefined {
  const [, userId, id] = TOKEN.exec(token) ?? [];
  return userId === undefined || id === undefined ? undefined : { userId, id, digest: secretDigest(token) };
}
