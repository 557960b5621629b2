import {
  type CheckDeps,
  type ContinueDeps,
  checkCookie,
  continueSession,
  prolongSession,
  type SignedIn,
} from '../../../../shared/domains/identity/sessions/index.ts';
import type { AccessTokens } from '../../../../shared/platform/auth/access-token.ts';
import type { Authenticate } from '../../../../shared/platform/auth/authenticate.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { OpenSession } from '../schemas.ts';

/**
 * Rotates a token from the body, because a script has seen it. Keeps the token in the cookie, because several pages use
 * it at once. Throws `INVALID_REFRESH_TOKEN`.
 */
export async function openSession(
  deps: ContinueDeps,
  { refreshToken, workspaceId, cookieToken }: OpenSession & { cookieToken: string | undefined },
): Promise<SignedIn> {
  const switched = workspaceId === undefined ? {} : { workspaceId };
  if (refreshToken !== undefined) return continueSession(deps, { refreshToken, isForCookie: true, ...switched });
  if (cookieToken === undefined) throw new AppError('INVALID_REFRESH_TOKEN');
  return prolongSession(deps, { refreshToken: cookieToken, ...switched });
}

/** Returns false if there is no sign-in to end. */
export async function endSession(deps: CheckDeps, cookieToken: string | undefined): Promise<boolean> {
  if (cookieToken === undefined) return false;
  const checked = await checkCookie(deps, { refreshToken: cookieToken }).catch(ignoreEnded);
  if (!checked) return false;
  await deps.accounts.revoke(checked.session, 'user.signed_out', deps.now());
  return true;
}

/** Authenticates the person by the cookie. Throws `UNAUTHENTICATED`. */
export async function readerOf(
  deps: CheckDeps & { tokens: AccessTokens; authenticate: Authenticate },
  cookieToken: string | undefined,
): Promise<Principal> {
  const checked = cookieToken && (await checkCookie(deps, { refreshToken: cookieToken }).catch(ignoreEnded));
  if (!checked) throw new AppError('UNAUTHENTICATED');
  const { user, session, membership } = checked;
  const claims = {
    userId: user.id,
    companyId: user.companyId,
    workspaceId: membership.workspaceId,
    membershipId: membership.membershipId,
    sessionId: session.id,
  };
  // Pages use the same authentication as operations.
  return deps.authenticate(`Bearer ${await deps.tokens.issue(claims, deps.now())}`, deps.now());
}

function ignoreEnded(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'INVALID_REFRESH_TOKEN') return undefined;
  throw error;
}
