import { ACCESS_TOKEN_SECONDS, type AccessTokens } from '../../platform/auth/access-token.ts';
import type { UserRecord } from '../workspaces/index.ts';
import type { SignedIn } from './schemas.ts';

/** A sign-in ends when it is unused for this long. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

export async function signedIn(
  deps: { tokens: AccessTokens; now: () => Date },
  user: UserRecord,
  session: { id: string; workspaceId: string; membershipId: string | undefined; refreshToken: string },
): Promise<SignedIn> {
  const { workspaceId, membershipId } = session;
  const accessToken = await deps.tokens.issue(
    { userId: user.id, companyId: user.companyId, workspaceId, sessionId: session.id, membershipId },
    deps.now(),
  );
  return {
    accessToken,
    refreshToken: session.refreshToken,
    tokenType: 'Bearer',
    expiresInSeconds: ACCESS_TOKEN_SECONDS,
    workspaceId,
    user: publicUser(user),
  };
}

export function publicUser({ id, email, name, companyId, companyRole }: UserRecord): SignedIn['user'] {
  return { id, email, name, companyId, companyRole };
}
