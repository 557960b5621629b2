import type { AccessTokens } from '../../../platform/auth/access-token.ts';
import { isOfEpoch } from '../../../platform/auth/authenticate.ts';
import { secretDigest } from '../../../platform/auth/credentials.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { UserRecord } from '../../tenancy/workspaces/index.ts';
import type { Passkeys } from '../passkeys/index.ts';
import { sessionEnd, signedIn } from './issue-session.ts';
import { newRefreshToken, parseRefreshToken } from './refresh-token.ts';
import type { SignedIn } from './schemas.ts';
import type { SessionChain } from './session-chain.ts';
import type { Joined, Session, SessionStore } from './session-store.ts';

export interface CheckDeps {
  accounts: SessionStore & SessionChain;
  passkeys: Passkeys;
  /** Whether the company still accepts how the person signed in. */
  policy: { mayContinue(session: Session, user: UserRecord): Promise<boolean> };
  now: () => Date;
}

export interface ContinueDeps extends CheckDeps {
  tokens: AccessTokens;
}

interface Checked {
  token: NonNullable<ReturnType<typeof parseRefreshToken>>;
  session: Session;
  user: UserRecord;
  membership: Joined;
}

/**
 * The sign-in whose latest refresh token this is, if it may go on. Reuse of a rotated token ends the whole sign-in,
 * because the token may have been stolen. Throws `INVALID_REFRESH_TOKEN`.
 */
export async function checkSession(
  deps: CheckDeps,
  { refreshToken, workspaceId }: { refreshToken: string; workspaceId?: string },
): Promise<Checked> {
  const { accounts } = deps;
  const now = deps.now();
  const token = parseRefreshToken(refreshToken);
  const session = token && (await accounts.session(token.userId, token.sessionId));
  // A sign-in by an identity provider ends with its day, whatever end is stored.
  const isOver = (expiresAt: number) => expiresAt * 1000 <= now.getTime();
  if (!session || session.revokedAt || isOver(session.expiresAt) || isOver(sessionEnd(session, now))) {
    throw new AppError('INVALID_REFRESH_TOKEN');
  }
  if (session.refreshDigest !== token.digest) {
    // The ids in a token are no secrets: one that was never issued must not end the sign-in of another.
    if (wasIssued(session, token)) await accounts.revoke(session, 'session.token_reused', now);
    throw new AppError('INVALID_REFRESH_TOKEN');
  }

  const [user, membership] = await Promise.all([
    accounts.user(session.userId),
    membershipFor(accounts, session, workspaceId),
  ]);
  if (!user?.active || !membership || !isOfEpoch(session, user)) throw new AppError('INVALID_REFRESH_TOKEN');
  if (!(await deps.policy.mayContinue(session, user))) throw new AppError('INVALID_REFRESH_TOKEN');
  // The request that removed the passkey may have died before it ended the sign-ins.
  const { method } = session;
  if (method?.kind === 'passkey' && !(await deps.passkeys.get(user, method.passkeyId))) {
    throw new AppError('INVALID_REFRESH_TOKEN');
  }
  return { token, session, user, membership };
}

/**
 * The same for a token from the cookie of a browser. It must have been issued into the cookie: another token could be
 * used there again and again, and its theft would not be noticed.
 */
export async function checkCookie(
  deps: CheckDeps,
  command: { refreshToken: string; workspaceId?: string },
): Promise<Checked> {
  const checked = await checkSession(deps, command);
  if (!checked.session.isInCookie) throw new AppError('INVALID_REFRESH_TOKEN');
  return checked;
}

/**
 * Exchanges a refresh token for the next one and an access token. Only a next token for the cookie of a browser may be
 * used there. Throws `INVALID_REFRESH_TOKEN`.
 */
export async function continueSession(
  deps: ContinueDeps,
  command: { refreshToken: string; workspaceId?: string; isForCookie?: true },
): Promise<SignedIn> {
  const checked = await checkSession(deps, command);
  const { token, session, user } = checked;
  const { family } = token;
  const next = newRefreshToken(user.id, session.id, { family });
  const rotated = await deps.accounts.rotate(session, {
    ...used(deps, checked),
    refreshDigest: next.digest,
    ...(command.isForCookie ? { isInCookie: true } : {}),
  });
  if (!rotated) {
    // Two concurrent requests with one token are a reuse as well.
    await deps.accounts.revoke(session, 'session.token_reused', deps.now());
    throw new AppError('INVALID_REFRESH_TOKEN');
  }
  return signedInAs(deps, checked, next.value);
}

/**
 * An access token for the holder of a refresh token, which stays the latest: a browser that keeps it in a cookie uses
 * it from several pages at once, and no script of a page can read it. Throws `INVALID_REFRESH_TOKEN`.
 */
export async function prolongSession(
  deps: ContinueDeps,
  command: { refreshToken: string; workspaceId?: string },
): Promise<SignedIn> {
  const checked = await checkCookie(deps, command);
  const { refreshDigest } = checked.session;
  const held = await deps.accounts.rotate(checked.session, { ...used(deps, checked), refreshDigest, isInCookie: true });
  if (!held) throw new AppError('INVALID_REFRESH_TOKEN');
  return signedInAs(deps, checked, command.refreshToken);
}

function used({ now }: Pick<CheckDeps, 'now'>, { session, membership }: Checked) {
  const { workspaceId, membershipId } = membership;
  return { workspaceId, membershipId, lastUsedAt: now().toISOString(), expiresAt: sessionEnd(session, now()) };
}

const signedInAs = (deps: ContinueDeps, { user, session: { id }, membership }: Checked, refreshToken: string) =>
  signedIn(deps, user, {
    id,
    workspaceId: membership.workspaceId,
    membershipId: membership.membershipId,
    refreshToken,
  });

const wasIssued = ({ familyDigest }: Session, { family }: { family: string }): boolean =>
  familyDigest === secretDigest(family);

/**
 * The membership to go on with. The sign-in ends with the membership that it is in, also if the person is added again.
 */
async function membershipFor(
  accounts: SessionStore,
  { userId, workspaceId, membershipId }: Session,
  wanted = workspaceId,
): Promise<Joined | undefined> {
  const [current, next] = await Promise.all(
    [...new Set([workspaceId, wanted])].map((id) => accounts.membership(userId, id)),
  );
  if (!current || current.membershipId !== membershipId) return undefined;
  return wanted === workspaceId ? current : next;
}
