import type { MailMessage } from '../../../../shared/domains/delivery/mails/index.ts';
import type { SignInPolicy } from '../../../../shared/domains/identity/identity-providers/index.ts';
import {
  newResetToken,
  type PasswordReset,
  type PasswordResets,
  RESET_MINUTES,
} from '../../../../shared/domains/identity/password-resets/index.ts';
import { isTrustedAddress, type UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Mail } from '../../../../shared/platform/mail/compose.ts';
import type { Mailer } from '../../../../shared/platform/mail/mailer.ts';
import { linkTo } from './link.ts';

const MINUTE_MS = 60_000;

/**
 * A mail with a valid token is in the mailbox for this long before another one is sent, so that requests of others
 * neither flood the mailbox nor keep the owner from getting a token.
 */
const PAUSE_MINUTES = { known: 5, stranger: 15 } as const;
/**
 * Addresses from which the account never signed in may cause this many mails in a day before the pause doubles with
 * each. It never becomes a day: the owner, at a new address, always gets a mail within three hours.
 */
const STRANGERS_BEFORE_LONGER = 4;
const MAX_PAUSE_MINUTES = 180;

export interface ResetMailDeps {
  resets: PasswordResets;
  policy: SignInPolicy;
  userByEmail(email: string): Promise<UserRecord | undefined>;
  mailer: Mailer;
  appUrl: string | undefined;
  now: () => Date;
}

type Request = Extract<MailMessage, { kind: 'passwordReset' }>;

/** A message may come twice: the second one sends nothing, or after a crash another token, which voids the first. */
export async function sendPasswordReset(deps: ResetMailDeps, request: Request): Promise<void> {
  const now = deps.now();
  const user = await deps.userByEmail(request.email);
  if (!user?.active || !isTrustedAddress(user) || isOlderThan(RESET_MINUTES, request.requestedAt, now)) return;
  const seen = await deps.resets.find(user.id);
  if (seen && !isDue(seen, user, request)) return;

  const mayReset = user.passwordHash !== undefined && (await deps.policy.ownSignIn(user)) !== 'refused';
  const token = mayReset ? newResetToken(user.id) : undefined;
  const reset = { ...counted(seen, request), ...resetOf(user, request, now), digest: token?.digest };
  if (!(await deps.resets.save(reset, seen))) throw new Error('another request for a reset came in between');
  await deps.mailer.send(user.email, token ? resetMail(token.value, deps.appUrl) : NO_PASSWORD);
  await deps.resets.sent(reset, deps.now());
}

function isDue(seen: PasswordReset, user: UserRecord, { requestId, requestedAt, isKnown }: Request): boolean {
  if (seen.requestId === requestId) return seen.sentAt === undefined;
  if (seen.requestedAt >= requestedAt) return false;
  const isVoid = seen.signInEpoch !== user.signInEpoch || (seen.email !== undefined && seen.email !== user.email);
  const strangers = seen.day === dayOf(requestedAt) ? seen.strangers : 0;
  const pause = isKnown ? PAUSE_MINUTES.known : strangerPauseMinutes(strangers);
  return isVoid || isOlderThan(pause, seen.requestedAt, new Date(requestedAt));
}

/**
 * The pause after the mails that strangers have caused on a day: 15 minutes, then 30 after the fourth, 60, 120, 180,
 * 180, …
 */
export const strangerPauseMinutes = (mails: number): number =>
  Math.min(PAUSE_MINUTES.stranger * 2 ** Math.max(0, mails - STRANGERS_BEFORE_LONGER + 1), MAX_PAUSE_MINUTES);

function resetOf(user: UserRecord, { requestId, requestedAt }: Request, now: Date) {
  const validUntil = new Date(now.getTime() + RESET_MINUTES * MINUTE_MS).toISOString();
  return { userId: user.id, requestId, requestedAt, validUntil, email: user.email, signInEpoch: user.signInEpoch };
}

function counted(seen: PasswordReset | undefined, { requestedAt, isKnown, requestId }: Request) {
  const day = dayOf(requestedAt);
  const before = seen?.day === day ? seen.strangers : 0;
  return { day, strangers: before + (isKnown || seen?.requestId === requestId ? 0 : 1) };
}

const dayOf = (at: string): string => at.slice(0, 10);
const isOlderThan = (minutes: number, at: string, now: Date): boolean =>
  now.getTime() - Date.parse(at) >= minutes * MINUTE_MS;

function resetMail(token: string, appUrl: string | undefined): Mail {
  return {
    subject: 'Reset your password',
    paragraphs: ['Hello,', 'You, or someone else, asked to reset the password of your account.'],
    action: linkTo({ appUrl, page: 'reset-password', label: 'Choose a new password', token }),
    notes: [
      `This works once, within ${RESET_MINUTES} minutes. A newer email replaces this one. Setting a new password signs you out everywhere.`,
      'If you did not ask for it, ignore this email: your password stays as it is.',
    ],
  };
}

const NO_PASSWORD: Mail = {
  subject: 'Your account has no password',
  paragraphs: [
    'Hello,',
    'You, or someone else, asked to reset the password of your account. The account has no password: you sign in through the identity provider of your company.',
    'If you did not ask for it, ignore this email.',
  ],
};
