import { ACCESS_TOKEN_SECONDS, type AccessTokens } from '../../../platform/auth/access-token.ts';
import type { UserRecord } from '../../tenancy/workspaces/index.ts';
import type { SignedIn } from './schemas.ts';
import type { Session } from './session-store.ts';

/** A sign-in ends when it is unused for this long. */
const SESSION_SECONDS = 30 * 24 * 60 * 60;

/** A sign-in by an identity provider ends this long after it was made: the provider has to admit the person again. */
const SSO_SESSION_SECONDS = 24 * 60 * 60;

/** When a sign-in that is used now ends, in seconds since the epoch. */
export function sessionEnd({ method, createdAt }: Pick<Session, 'method' | 'createdAt'>, now: Date): number {
  const unused = Math.floor(now.getTime() / 1000) + SESSION_SECONDS;
  if (method?.kind !== 'sso') return unused;
  return Math.min(unused, Math.floor(Date.parse(createdAt) / 1000) + SSO_SESSION_SECONDS);
}

export async function signedIn(
  deps: { tokens: AccessTokens; now: () => Date },
  user: UserRecord,
  session: { id: string; workspaceId: string; membershipId: string; refreshToken: string },
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
