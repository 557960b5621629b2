import { randomBytes } from 'node:crypto';
import { secretDigest } from '../../../platform/auth/credentials.ts';

const SECRET = '[A-Za-z0-9_-]{43}';
const TOKEN = new RegExp(`^rt_([0-9a-f-]{36})_([0-9a-f-]{36})_(${SECRET})_(${SECRET})$`);

/**
 * `rt_<user>_<session>_<family>_<secret>`: user and session identify the session. The family stays the same for the
 * whole sign-in and proves that a token was issued. The secret changes with each refresh and proves that the token is
 * the latest.
 */
export interface RefreshToken {
  value: string;
  digest: string;
  familyDigest: string;
}

export function newRefreshToken(userId: string, sessionId: string, given?: { family: string }): RefreshToken {
  const family = given?.family ?? newSecret();
  const value = `rt_${userId}_${sessionId}_${family}_${newSecret()}`;
  return { value, digest: secretDigest(value), familyDigest: secretDigest(family) };
}

export function parseRefreshToken(
  token: string,
): { userId: string; sessionId: string; family: string; digest: string } | undefined {
  const [, userId, sessionId, family] = TOKEN.exec(token) ?? [];
  if (userId === undefined || sessionId === undefined || family === undefined) return undefined;
  return { userId, sessionId, family, digest: secretDigest(token) };
}

const newSecret = () => randomBytes(32).toString('base64url');
