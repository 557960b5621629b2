import type { MailMessage } from '../../../../shared/domains/delivery/mails/index.ts';
import {
  type AddressNotice,
  type AddressNotices,
  CONFIRMATION_DAYS,
  isOpen,
  newAddressToken,
} from '../../../../shared/domains/identity/address-changes/index.ts';
import type { CompanyRecord, UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Mail } from '../../../../shared/platform/mail/compose.ts';
import { type Mailer, MailRefused } from '../../../../shared/platform/mail/mailer.ts';
import { linkTo } from './link.ts';

export interface AddressMailDeps {
  notices: AddressNotices;
  user(id: string): Promise<UserRecord | undefined>;
  company(id: string): Promise<CompanyRecord | undefined>;
  mailer: Mailer;
  appUrl: string | undefined;
  now: () => Date;
}

/** A message may come twice: the second one sends nothing, or after a crash another token, which voids the first. */
export async function sendAddressNotice(
  deps: AddressMailDeps,
  { userId, noticeId: id }: Extract<MailMessage, { kind: 'addressChange' }>,
): Promise<void> {
  const [notice, user] = await Promise.all([deps.notices.get({ userId, id }), deps.user(userId)]);
  if (!notice || notice.sentAt !== undefined || !user) return;
  const company = await deps.company(user.companyId);
  const token = isOpen(notice, user, deps.now()) ? newAddressToken(notice) : undefined;
  if (token) await deps.notices.setToken(notice, token.digest);
  try {
    await deps.mailer.send(notice.to, noticeMail(notice, company?.name, token?.value, deps.appUrl));
  } catch (error) {
    // An address of before may not exist any more.
    if (!(error instanceof MailRefused)) throw error;
  }
  await deps.notices.sent(notice, deps.now());
}

function noticeMail(
  { to, email }: AddressNotice,
  company: string | undefined,
  token: string | undefined,
  appUrl: string | undefined,
): Mail {
  const who = company === undefined ? 'your company' : `“${company.slice(0, 60)}”`;
  const changed = `The email address of your account at ${who} was changed from ${to} to ${email}. You sign in with the new address now.`;
  if (token === undefined) {
    return {
      subject: 'The email address of your account was changed',
      paragraphs: ['Hello,', changed],
      notes: ['If you did not expect this change, ask an admin of your company.'],
    };
  }
  return {
    subject: 'The email address of your account was changed',
    paragraphs: [
      'Hello,',
      changed,
      'Is the new address yours? Until you confirm it, emails that give access to your account are not sent there.',
    ],
    action: linkTo({ appUrl, page: 'confirm-email', label: 'Confirm the new address', token }),
    notes: [
      `This works for ${CONFIRMATION_DAYS} days. You can also confirm the address while you are signed in.`,
      'If the address is not yours, do not confirm it, and tell an admin of your company.',
    ],
  };
}
