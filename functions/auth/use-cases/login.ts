import type { AccessTokens } from '../../../shared/platform/auth/access-token.ts';
import { secretDigest } from '../../../shared/platform/auth/credentials.ts';
import type { Passwords } from '../../../shared/platform/auth/password.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { AuthRepository } from '../repository.ts';
import type { SignedIn } from '../schemas.ts';
import { newRefreshToken, SESSION_SECONDS, signedIn } from './issue-session.ts';

const WINDOW_SECONDS = 15 * 60;
const MAX_FAILURES = 10;

interface Command {
  email: string;
  password: string;
  workspaceId?: string;
  sourceIp: string;
  sessionId: string;
}

/** Every wrong sign-in gets the same reply after the same time, so that it does not reveal which accounts exist. */
export async function login(
  deps: { accounts: AuthRepository; tokens: AccessTokens; passwords: Passwords; now: () => Date },
  command: Command,
): Promise<SignedIn> {
  const { accounts } = deps;
  const now = Math.floor(deps.now().getTime() / 1000);
  const start = now - (now % WINDOW_SECONDS);
  const window = { start, end: start + WINDOW_SECONDS };
  const email = command.email.toLowerCase();
  if ((await accounts.countAttempt(email, command.sourceIp, window)) > MAX_FAILURES) {
    throw new AppError('TOO_MANY_ATTEMPTS', { retryAfterSeconds: window.end - now });
  }

  const user = await accounts.userByEmail(email);
  const right = await deps.passwords.matches(command.password, user?.passwordHash);
  const memberships = user && right && user.active ? await accounts.memberships(user.id) : [];
  const membership = memberships.find(
    ({ workspaceId }) => command.workspaceId === undefined || workspaceId === command.workspaceId,
  );
  if (!user || !membership) throw new AppError('INVALID_CREDENTIALS');
  await accounts.forgiveAttempt(email, command.sourceIp, window);

  const session = { id: command.sessionId, workspaceId: membership.workspaceId };
  const refreshToken = newRefreshToken(user.id, session.id);
  await accounts.createSession({
    ...session,
    userId: user.id,
    refreshDigest: secretDigest(refreshToken),
    createdAt: deps.now().toISOString(),
    expiresAt: now + SESSION_SECONDS,
  });
  return signedIn(deps, user, { ...session, refreshToken });
}
