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
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { foldAddress } from '../../../../shared/platform/text/email-address.ts';
import type { SignInAttempts } from '../attempts.ts';
import type { MfaTokens } from '../mfa-token.ts';
import type { AuthRepository } from '../repository.ts';
import type { RecoveryCodes } from '../schemas.ts';
import { type Enrolment, hasSecondFactor, type SecondFactor } from '../second-factor.ts';

interface Deps {
  accounts: AuthRepository;
  attempts: SignInAttempts;
  passwords: Passwords;
  factor: SecondFactor;
}

/** Needs the password, so that a stolen access token cannot lock the user out with another person's app. */
export async function enrolSecondFactor(
  deps: Deps,
  principal: Principal,
  proof: { password: string; sourceIp: string },
): Promise<Enrolment> {
  const user = await callerOf(deps, principal);
  await requirePassword(deps, user, proof);
  if (hasSecondFactor(user)) throw new AppError('MFA_ALREADY_ON');
  return deps.factor.enrol(user);
}

/** Wrong codes count, so that an abandoned set-up cannot be completed by guessing. */
export async function activateSecondFactor(
  deps: Deps,
  principal: Principal,
  { code, sourceIp }: { code: string; sourceIp: string },
): Promise<RecoveryCodes> {
  const user = await callerOf(deps, principal);
  if (hasSecondFactor(user)) throw new AppError('MFA_ALREADY_ON');
  const attempt = await deps.attempts.begin(foldAddress(user.email), sourceIp);
  const recoveryCodes = await deps.factor.activate(user, code);
  if (!recoveryCodes) throw new AppError('WRONG_CODE');
  await attempt.passed();
  return { recoveryCodes };
}

export async function replaceRecoveryCodes(
  deps: Deps,
  principal: Principal,
  proof: { code: string; sourceIp: string },
): Promise<RecoveryCodes> {
  const user = await callerOf(deps, principal);
  await requireCode(deps, user, proof);
  return { recoveryCodes: await deps.factor.replaceRecoveryCodes(user) };
}

export async function turnOffSecondFactor(
  deps: Deps,
  principal: Principal,
  proof: { password: string; code: string; sourceIp: string },
): Promise<void> {
  const user = await callerOf(deps, principal);
  await requirePassword(deps, user, proof);
  await requireCode(deps, user, proof);
  await deps.factor.turnOff(user);
}

/** Ends a sign-in's first half. Its token works until a code is right, and then no more. */
export async function verifySecondFactor(
  deps: Deps & {
    policy: SignInPolicy;
    failures: SignInFailures;
    mfaTokens: MfaTokens;
    tokens: AccessTokens;
    now: () => Date;
  },
  command: Client & { mfaToken: string; code: string },
): Promise<SignedIn> {
  const { accounts } = deps;
  const pending = await deps.mfaTokens.read(command.mfaToken, deps.now());
  const user = pending && (await accounts.user(pending.userId));
  if (!pending || !user?.active || user.signInEpoch !== pending.signInEpoch || !hasSecondFactor(user)) {
    throw new AppError('INVALID_MFA_TOKEN');
  }
  if ((await deps.policy.ownSignIn(user)) === 'refused') throw new AppError('INVALID_MFA_TOKEN');
  const membership = await accounts.membership(user.id, pending.workspaceId);
  if (!membership || (await accounts.session(user.id, pending.sessionId))) throw new AppError('INVALID_MFA_TOKEN');
  const attempt = await deps.attempts.begin(foldAddress(user.email), command.sourceIp);
  const secondFactor = await deps.factor.redeem(user, command.code);
  if (!secondFactor) {
    await deps.failures.record(user, { email: foldAddress(user.email), proof: 'secondFactor' });
    throw new AppError('INVALID_MFA_CODE');
  }
  await attempt.succeeded();
  const begun = await beginSession(deps, user, membership, { ...command, sessionId: pending.sessionId, secondFactor });
  if (!begun) throw new AppError('INVALID_MFA_TOKEN');
  return begun;
}

async function callerOf({ accounts }: Deps, principal: Principal): Promise<UserRecord> {
  const user = await accounts.user(principal.userId);
  if (!user) throw new AppError('UNAUTHENTICATED');
  return user;
}

async function requirePassword(
  deps: Deps,
  user: UserRecord,
  { password, sourceIp }: { password: string; sourceIp: string },
): Promise<void> {
  const attempt = await deps.attempts.begin(foldAddress(user.email), sourceIp);
  if (!(await deps.passwords.matches(password, user.passwordHash))) throw new AppError('WRONG_PASSWORD');
  await attempt.passed();
}

async function requireCode(
  deps: Deps,
  user: UserRecord,
  { code, sourceIp }: { code: string; sourceIp: string },
): Promise<void> {
  if (!hasSecondFactor(user)) throw new AppError('MFA_NOT_ON');
  const attempt = await deps.attempts.begin(foldAddress(user.email), sourceIp);
  if (!(await deps.factor.redeem(user, code))) throw new AppError('WRONG_CODE');
  await attempt.passed();
}
