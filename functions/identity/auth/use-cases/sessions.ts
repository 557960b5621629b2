import type { Session } from '../../../../shared/domains/identity/sessions/index.ts';
import type { UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { isOfEpoch } from '../../../../shared/platform/auth/authenticate.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { AuthRepository } from '../repository.ts';
import type { SessionList, SignInSession } from '../schemas.ts';

interface Deps {
  accounts: AuthRepository;
  now: () => Date;
}

const MAX_SHOWN = 200;

export async function listSessions({ accounts, now }: Deps, principal: Principal): Promise<SessionList> {
  const user = await accounts.user(principal.userId);
  const sessions = user ? await accounts.activeSessions(user, now()) : [];
  return {
    items: sessions.slice(0, MAX_SHOWN).map((session) => showSession(session, principal)),
    total: sessions.length,
  };
}

function showSession(session: Session, principal: Principal): SignInSession {
  const { id, workspaceId, createdAt, lastUsedAt, sourceIp, userAgent, expiresAt } = session;
  return {
    id,
    workspaceId,
    createdAt,
    lastUsedAt,
    sourceIp: sourceIp ?? null,
    userAgent: userAgent ?? null,
    expiresAt: new Date(expiresAt * 1000).toISOString(),
    isCurrent: id === principal.credentialId,
  };
}

/** Ends a sign-in of the caller. Ending it a second time is the same as naming one that never was. */
export async function endSession({ accounts, now }: Deps, principal: Principal, id: string): Promise<void> {
  const session = await accounts.session(principal.userId, id);
  if (!session || session.revokedAt || session.expiresAt * 1000 <= now().getTime()) {
    throw new AppError('SESSION_NOT_FOUND');
  }
  await accounts.revoke(session, 'session.ended', now());
}

/**
 * Ends every sign-in of the caller but this one, with one write. A sign-in that has ended meanwhile, for example by a
 * change of the password, may not keep itself: the caller may have been authenticated seconds before.
 */
export async function endOtherSessions(
  { accounts, now, newId }: Deps & { newId: () => string },
  principal: Principal,
): Promise<void> {
  const epoch = { signInEpoch: newId(), keptSessionId: principal.credentialId };
  await onNewest('STALE_WRITE', async () => {
    const user = await requireOpenSession(accounts, principal);
    if (!(await accounts.beginEpoch(user, epoch, now()))) throw new AppError('STALE_WRITE');
  });
}

/** The user as stored now, if the sign-in of the request is still open. Throws `UNAUTHENTICATED`. */
export async function requireOpenSession(accounts: AuthRepository, principal: Principal): Promise<UserRecord> {
  const [user, session] = await Promise.all([
    accounts.user(principal.userId),
    accounts.session(principal.userId, principal.credentialId),
  ]);
  if (!user || !session || session.revokedAt || !isOfEpoch(session, user)) throw new AppError('UNAUTHENTICATED');
  return user;
}
