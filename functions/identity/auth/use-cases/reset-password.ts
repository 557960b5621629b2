import type { MailQueue } from '../../../../shared/domains/delivery/mails/index.ts';
import type { SignInPolicy } from '../../../../shared/domains/identity/identity-providers/index.ts';
import {
  type PasswordResets,
  parseResetToken,
  RESET_MINUTES,
} from '../../../../shared/domains/identity/password-resets/index.ts';
import { isTrustedAddress, type UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Passwords } from '../../../../shared/platform/auth/password.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { foldAddress } from '../../../../shared/platform/text/email-address.ts';
import type { SignInAttempts } from '../attempts.ts';
import type { AuthRepository } from '../repository.ts';

/** Does the same, in the same time, whether or not an account has the email: the worker looks it up. */
export async function requestPasswordReset(
  deps: { attempts: SignInAttempts; mails: MailQueue; newId: () => string; now: () => Date },
  command: { email: string; sourceIp: string },
): Promise<{ expiresInSeconds: number }> {
  if (!deps.mails) throw new AppError('MAIL_NOT_CONFIGURED');
  const email = foldAddress(command.email);
  const isKnown = await deps.attempts.beginReset(email, command.sourceIp);
  await deps.mails.send({
    kind: 'passwordReset',
    workspaceId: 'password-resets',
    ...{ requestId: deps.newId(), requestedAt: deps.now().toISOString(), email, isKnown },
  });
  return { expiresInSeconds: RESET_MINUTES * 60 };
}

/**
 * Sets the password and ends every sign-in with one write, which also voids the token. A second factor stays on. If
 * others could have set the password before, passkeys, identities and API keys end too.
 */
export async function resetPassword(
  deps: {
    accounts: AuthRepository;
    policy: SignInPolicy;
    resets: PasswordResets;
    passwords: Passwords;
    newId: () => string;
    now: () => Date;
  },
  command: { token: string; newPassword: string },
): Promise<void> {
  const { accounts } = deps;
  const token = parseResetToken(command.token);
  if (!token) throw new AppError('INVALID_RESET_TOKEN');
  await ownerOf(deps, token);
  const passwordHash = await deps.passwords.hash(command.newPassword);
  const epoch = { signInEpoch: deps.newId(), passwordHash, isFromMailbox: true } as const;
  await onNewest('STALE_WRITE', async () => {
    if (!(await accounts.beginEpoch(await ownerOf(deps, token), epoch, deps.now()))) throw new AppError('STALE_WRITE');
  });
}

/** The user whom a valid token belongs to. Throws `INVALID_RESET_TOKEN`. */
async function ownerOf(
  deps: { accounts: AuthRepository; policy: SignInPolicy; resets: PasswordResets; now: () => Date },
  { userId, digest }: { userId: string; digest: string },
): Promise<UserRecord> {
  const { accounts, policy, resets, now } = deps;
  const [user, reset] = await Promise.all([accounts.user(userId), resets.find(userId)]);
  const isLatest = reset?.digest === digest && reset.validUntil > now().toISOString();
  const isSent = reset?.email === user?.email;
  const isValid = isLatest && isSent && reset.signInEpoch === user?.signInEpoch;
  if (!isValid || !user?.active || user.passwordHash === undefined || !isTrustedAddress(user))
    throw new AppError('INVALID_RESET_TOKEN');
  // A company with single sign-on has no passwords to reset.
  if ((await policy.ownSignIn(user)) === 'refused') throw new AppError('INVALID_RESET_TOKEN');
  return user;
}
