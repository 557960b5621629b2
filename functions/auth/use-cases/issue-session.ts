import { randomBytes } from 'node:crypto';
import type { UserRecord } from '../../../shared/domains/workspaces/index.ts';
import { ACCESS_TOKEN_SECONDS, type AccessTokens } from '../../../shared/platform/auth/access-token.ts';
import type { SignedIn } from '../schemas.ts';

/** A sign-in ends when it is unused for this long. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

/** `rt_<user>_<session>_<secret>`: the first two identify the session, the secret authenticates it. */
export function newRefreshToken(userId: string, sessionId: string): string {
  return `rt_${userId}_${sessionId}_${randomBytes(32).toString('base64url')}`;
}

export function parseRefreshToken(token: string): { userId: string; sessionId: string } | undefined {
  const match = /^rt_([0-9a-f-]{36})_([0-9a-f-]{36})_[A-Za-z0-9_-]{43}$/.exec(token);
  return match ? { userId: match[1]!, sessionId: match[2]! } : undefined;
}

export async function signedIn(
  deps: { tokens: AccessTokens; now: () => Date },
  user: UserRecord,
  session: { id: string; workspaceId: string; refreshToken: string },
): Promise<SignedIn> {
  const accessToken = await deps.tokens.issue(
    { userId: user.id, companyId: user.companyId, workspaceId: session.workspaceId, sessionId: session.id },
    deps.now(),
  );
  return {
    accessToken,
    refreshToken: session.refreshToken,
    tokenType: 'Bearer',
    expiresInSeconds: ACCESS_TOKEN_SECONDS,
    workspaceId: session.workspaceId,
    user: publicUser(user),
  };
}

export function publicUser({ id, email, name, companyId, companyRole }: UserRecord): SignedIn['user'] {
  return { id, email, name, companyId, companyRole };
}
