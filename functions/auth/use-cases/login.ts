import type { AccessTokens } from '../../../shared/platform/auth/access-token.ts';
import type { Passwords } from '../../../shared/platform/auth/password.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { SignInAttempts } from '../attempts.ts';
import { newRefreshToken } from '../refresh-token.ts';
import type { AuthRepository } from '../repository.ts';
import type { SignedIn } from '../schemas.ts';
import { SESSION_SECONDS, signedIn } from './issue-session.ts';

interface Command {
  email: string;
  password: string;
  workspaceId?: string;
  sourceIp: string;
  userAgent: string | undefined;
  sessionId: string;
}

const MAX_USER_AGENT = 300;

/** Every wrong sign-in gets the same reply after the same time, so that it does not reveal which accounts exist. */
export async function login(
  deps: {
    accounts: AuthRepository;
    attempts: SignInAttempts;
    tokens: AccessTokens;
    passwords: Passwords;
    now: () => Date;
  },
  command: Command,
): Promise<SignedIn> {
  const { accounts } = deps;
  const email = command.email.toLowerCase();
  const attempt = await deps.attempts.begin(email, command.sourceIp);

  const user = await accounts.userByEmail(email);
  const right = await deps.passwords.matches(command.password, user?.passwordHash);
  const memberships = user && right && user.active ? await accounts.memberships(user.id) : [];
  const membership = memberships.find(
    ({ workspaceId }) => command.workspaceId === undefined || workspaceId === command.workspaceId,
  );
  if (!user || !membership) throw new AppError('INVALID_CREDENTIALS');
  await attempt.succeeded();

  const { workspaceId, membershipId } = membership;
  const token = newRefreshToken(user.id, command.sessionId);
  const now = deps.now();
  await accounts.createSession({
    id: command.sessionId,
    userId: user.id,
    workspaceId,
    membershipId,
    refreshDigest: token.digest,
    familyDigest: token.familyDigest,
    createdAt: now.toISOString(),
    lastUsedAt: now.toISOString(),
    sourceIp: command.sourceIp,
    ...(command.userAgent ? { userAgent: command.userAgent.slice(0, MAX_USER_AGENT) } : {}),
    signInEpoch: user.signInEpoch,
    expiresAt: Math.floor(now.getTime() / 1000) + SESSION_SECONDS,
  });
  return signedIn(deps, user, { id: command.sessionId, workspaceId, membershipId, refreshToken: token.value });
}
