import type { AccessTokens } from '../../../shared/platform/auth/access-token.ts';
import { secretDigest } from '../../../shared/platform/auth/credentials.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { AuthRepository } from '../repository.ts';
import type { SignedIn } from '../schemas.ts';
import { newRefreshToken, parseRefreshToken, SESSION_SECONDS, signedIn } from './issue-session.ts';

/**
 * Rotates the refresh token. Reuse of a rotated token ends the whole sign-in, because the token may have been stolen.
 */
export async function refresh(
  deps: { accounts: AuthRepository; tokens: AccessTokens; now: () => Date },
  command: { refreshToken: string; workspaceId?: string },
): Promise<SignedIn> {
  const { accounts } = deps;
  const now = deps.now();
  const named = parseRefreshToken(command.refreshToken);
  const session = named && (await accounts.session(named.userId, named.sessionId));
  if (!session || session.revokedAt || session.expiresAt * 1000 <= now.getTime()) {
    throw new AppError('INVALID_REFRESH_TOKEN');
  }
  if (session.refreshDigest !== secretDigest(command.refreshToken)) {
    await accounts.revoke(session.userId, session.id, now);
    throw new AppError('INVALID_REFRESH_TOKEN');
  }

  const [user, memberships] = await Promise.all([accounts.user(session.userId), accounts.memberships(session.userId)]);
  const workspaceId = command.workspaceId ?? session.workspaceId;
  if (!user?.active || !memberships.some((membership) => membership.workspaceId === workspaceId)) {
    throw new AppError('INVALID_REFRESH_TOKEN');
  }

  const refreshToken = newRefreshToken(user.id, session.id);
  const rotated = await accounts.rotate(session, {
    refreshDigest: secretDigest(refreshToken),
    workspaceId,
    expiresAt: Math.floor(now.getTime() / 1000) + SESSION_SECONDS,
  });
  if (!rotated) {
    // Two concurrent requests with one token are a reuse as well.
    await accounts.revoke(session.userId, session.id, now);
    throw new AppError('INVALID_REFRESH_TOKEN');
  }
  return signedIn(deps, user, { id: session.id, workspaceId, refreshToken });
}
