import type { SignInPolicy } from '../../../../shared/domains/identity/identity-providers/index.ts';
import {
  beginSession,
  type Client,
  type SignedIn,
  type SignInFailures,
} from '../../../../shared/domains/identity/sessions/index.ts';
import type { UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { AccessTokens } from '../../../../shared/platform/auth/access-token.ts';
import type { Passwords } from '../../../../shared/platform/auth/password.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { foldAddress } from '../../../../shared/platform/text/email-address.ts';
import type { SignInAttempts } from '../attempts.ts';
import { MFA_TOKEN_SECONDS, type MfaTokens } from '../mfa-token.ts';
import type { AuthRepository } from '../repository.ts';
import type { MfaRequired } from '../schemas.ts';
import { hasSecondFactor } from '../second-factor.ts';

interface Command extends Client {
  email: string;
  password: string;
  workspaceId?: string;
  sessionId: string;
}

/** Every wrong sign-in gets the same reply after the same time, so that it does not reveal which accounts exist. */
export async function login(
  deps: {
    accounts: AuthRepository;
    attempts: SignInAttempts;
    policy: SignInPolicy;
    failures: SignInFailures;
    tokens: AccessTokens;
    mfaTokens: MfaTokens;
    passwords: Passwords;
    now: () => Date;
  },
  command: Command,
): Promise<SignedIn | MfaRequired> {
  const { accounts } = deps;
  const email = foldAddress(command.email);
  const attempt = await deps.attempts.begin(email, command.sourceIp);

  const user = await accounts.userByEmail(email);
  const right = await deps.passwords.matches(command.password, user?.passwordHash);
  const isAllowed = user && right && user.active && (await mayUsePassword(deps.policy, user));
  const membership = user && isAllowed ? await accounts.membership(user.id, command.workspaceId) : undefined;
  if (!user || !membership) {
    await deps.failures.record(user, { email, proof: 'password' });
    throw new AppError('INVALID_CREDENTIALS');
  }
  await renewHash(deps, user, command.password);
  const { sessionId } = command;
  if (hasSecondFactor(user)) {
    await attempt.passed();
    const { workspaceId } = membership;
    const pending = { userId: user.id, sessionId, workspaceId, signInEpoch: user.signInEpoch };
    const mfaToken = await deps.mfaTokens.issue(pending, deps.now());
    return { mfaRequired: true, mfaToken, expiresInSeconds: MFA_TOKEN_SECONDS };
  }
  await attempt.succeeded();
  const begun = await beginSession(deps, user, membership, command);
  if (!begun) throw new AppError('INTERNAL');
  return begun;
}

/** A company with single sign-on takes passwords from its break-glass admins alone, and only with a second factor. */
async function mayUsePassword(policy: SignInPolicy, user: UserRecord): Promise<boolean> {
  const own = await policy.ownSignIn(user);
  return own === 'allowed' || (own === 'with-second-factor' && hasSecondFactor(user));
}

/**
 * An outdated hash can be replaced only while the password is at hand. Without effect if the password has changed
 * meanwhile.
 */
async function renewHash(
  { accounts, passwords }: { accounts: AuthRepository; passwords: Passwords },
  user: UserRecord,
  password: string,
): Promise<void> {
  if (user.passwordHash === undefined || !passwords.isOutdated(user.passwordHash)) return;
  await accounts.replaceHash(user, await passwords.hash(password));
}
