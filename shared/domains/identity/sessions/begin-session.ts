import type { AccessTokens } from '../../../platform/auth/access-token.ts';
import type { UserRecord } from '../../tenancy/workspaces/index.ts';
import { sessionEnd, signedIn } from './issue-session.ts';
import { newRefreshToken } from './refresh-token.ts';
import type { SignedIn } from './schemas.ts';
import type { Joined, SecondFactorUse, Session, SessionStore, SignInMethod } from './session-store.ts';

const MAX_USER_AGENT = 300;

export interface Client {
  sourceIp: string;
  userAgent: string | undefined;
}

/** Begins a sign-in to a workspace. Returns undefined if there is one with this id. */
export async function beginSession(
  deps: { accounts: Pick<SessionStore, 'createSession'>; tokens: AccessTokens; now: () => Date },
  user: UserRecord,
  { workspaceId, membershipId }: Joined,
  {
    sessionId,
    sourceIp,
    userAgent,
    method,
    secondFactor,
    signedInAt,
  }: Client & { sessionId: string; method?: SignInMethod; secondFactor?: SecondFactorUse; signedInAt?: string },
): Promise<SignedIn | undefined> {
  const token = newRefreshToken(user.id, sessionId);
  const now = deps.now();
  // Another sign-in of the person may vouch for this one, which then lasts no longer.
  const createdAt = signedInAt ?? now.toISOString();
  const session: Session = {
    id: sessionId,
    userId: user.id,
    workspaceId,
    membershipId,
    refreshDigest: token.digest,
    familyDigest: token.familyDigest,
    createdAt,
    lastUsedAt: now.toISOString(),
    sourceIp,
    ...(userAgent ? { userAgent: userAgent.slice(0, MAX_USER_AGENT) } : {}),
    ...(method ? { method } : {}),
    signInEpoch: user.signInEpoch,
    expiresAt: sessionEnd({ createdAt, ...(method ? { method } : {}) }, now),
  };
  if (!(await deps.accounts.createSession(session, user, secondFactor))) return undefined;
  return signedIn(deps, user, { id: sessionId, workspaceId, membershipId, refreshToken: token.value });
}
