import type { SignInPolicy } from '../../../shared/domains/identity-providers/index.ts';
import type { Passkeys } from '../../../shared/domains/passkeys/index.ts';
import {
  type Joined,
  newRefreshToken,
  parseRefreshToken,
  type Session,
  type SignedIn,
  sessionEnd,
  signedIn,
} from '../../../shared/domains/sessions/index.ts';
import type { AccessTokens } from '../../../shared/platform/auth/access-token.ts';
import { isOfEpoch } from '../../../shared/platform/auth/authenticate.ts';
import { secretDigest } from '../../../shared/platform/auth/credentials.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { AuthRepository } from '../repository.ts';

/**
 * Rotates the refresh token. Reuse of a rotated token ends the whole sign-in, because the token may have been stolen.
 */
export async function refresh(
  deps: {
    accounts: AuthRepository;
    passkeys: Passkeys;
    policy: SignInPolicy;
    tokens: AccessTokens;
    now: () => Date;
  },
  command: { refreshToken: string; workspaceId?: string },
): Promise<SignedIn> {
  const { accounts } = deps;
  const now = deps.now();
  const token = parseRefreshToken(command.refreshToken);
  const session = token && (await accounts.session(token.userId, token.sessionId));
  // Sign-ins by identity providers from before they had an absolute end have it too.
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
    membershipFor(accounts, session, command.workspaceId),
  ]);
  if (!user?.active || !membership || !isOfEpoch(session, user)) throw new AppError('INVALID_REFRESH_TOKEN');
  if (!(await deps.policy.mayContinue(session, user))) throw new AppError('INVALID_REFRESH_TOKEN');
  // The request that removed the passkey may have died before it ended the sign-ins.
  const { method } = session;
  if (method?.kind === 'passkey' && !(await deps.passkeys.get(user, method.passkeyId))) {
    throw new AppError('INVALID_REFRESH_TOKEN');
  }

  const { workspaceId, membershipId } = membership;
  const { family } = token;
  const next = newRefreshToken(user.id, session.id, family === undefined ? undefined : { family });
  const rotated = await accounts.rotate(session, {
    refreshDigest: next.digest,
    familyDigest: next.familyDigest,
    ...(family === undefined ? { replacedDigest: token.digest } : {}),
    workspaceId,
    membershipId,
    lastUsedAt: now.toISOString(),
    expiresAt: sessionEnd(session, now),
  });
  if (!rotated) {
    // Two concurrent requests with one token are a reuse as well.
    await accounts.revoke(session, 'session.token_reused', now);
    throw new AppError('INVALID_REFRESH_TOKEN');
  }
  return signedIn(deps, user, { id: session.id, workspaceId, membershipId, refreshToken: next.value });
}

function wasIssued(session: Session, token: { family: string | undefined; digest: string }): boolean {
  if (token.family === undefined) return session.replacedDigest === token.digest;
  return session.familyDigest === secretDigest(token.family);
}

/** The membership to go on with. The sign-in ends with the membership that it is in, also if the person is added again. */
async function membershipFor(
  accounts: AuthRepository,
  { userId, workspaceId, membershipId }: Session,
  wanted = workspaceId,
): Promise<Joined | undefined> {
  const [current, next] = await Promise.all(
    [...new Set([workspaceId, wanted])].map((id) => accounts.membership(userId, id)),
  );
  if (!current || current.membershipId !== membershipId) return undefined;
  return wanted === workspaceId ? current : next;
}
