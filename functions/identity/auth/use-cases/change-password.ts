import type { SignInPolicy } from '../../../../shared/domains/identity/identity-providers/index.ts';
import type { Passwords } from '../../../../shared/platform/auth/password.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { foldAddress } from '../../../../shared/platform/text/email-address.ts';
import type { SignInAttempts } from '../attempts.ts';
import type { AuthRepository } from '../repository.ts';
import { requireOpenSession } from './sessions.ts';

interface Command {
  currentPassword: string;
  newPassword: string;
  sourceIp: string;
}

/**
 * Changes the password and ends every other sign-in with the same write. Wrong passwords count as failed sign-ins, so
 * that a stolen access token does not help to guess the password.
 */
export async function changePassword(
  deps: {
    accounts: AuthRepository;
    attempts: SignInAttempts;
    policy: SignInPolicy;
    passwords: Passwords;
    newId: () => string;
    now: () => Date;
  },
  principal: Principal,
  command: Command,
): Promise<void> {
  const { accounts, passwords } = deps;
  const user = await requireOpenSession(accounts, principal);
  if ((await deps.policy.ownSignIn(user)) === 'refused') throw new AppError('SSO_REQUIRED');
  const attempt = await deps.attempts.begin(foldAddress(user.email), command.sourceIp);
  if (!(await passwords.matches(command.currentPassword, user.passwordHash))) throw new AppError('WRONG_PASSWORD');
  await attempt.passed();
  if (command.newPassword === command.currentPassword) {
    throw new AppError('VALIDATION_FAILED', {
      errors: [{ pointer: '/newPassword', code: 'SAME', message: 'must differ from the current password' }],
    });
  }
  const passwordHash = await passwords.hash(command.newPassword);
  const epoch = { signInEpoch: deps.newId(), keptSessionId: principal.credentialId, passwordHash };
  await onNewest('STALE_WRITE', async () => {
    const newest = await accounts.user(user.id);
    const isSame = newest?.passwordHash === user.passwordHash;
    // A sign-in may have replaced the hash. Otherwise another request has changed the password or ended this sign-in
    // meanwhile.
    if (
      newest?.signInEpoch !== user.signInEpoch ||
      !(isSame || (await passwords.matches(command.currentPassword, newest?.passwordHash)))
    ) {
      throw new AppError('WRONG_PASSWORD');
    }
    if (!newest || !(await accounts.beginEpoch(newest, epoch, deps.now()))) throw new AppError('STALE_WRITE');
  });
}
