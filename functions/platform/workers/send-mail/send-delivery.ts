import {
  type Delivery,
  type DeliveryKind,
  type DeliveryRuns,
  type MailPlace,
  mayReceive,
  type People,
  type StoredMail,
  type UnsubscribeTokens,
} from '../../../../shared/domains/delivery/deliveries/index.ts';
import type { MailMessage } from '../../../../shared/domains/delivery/mails/index.ts';
import { trustedAddress, type UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { type Mailer, MailRefused } from '../../../../shared/platform/mail/mailer.ts';
import type { Composer } from '../../../delivery/kinds/stages.ts';

/** The mails of a kind of delivery. */
export interface DeliveryMails<Stored extends StoredMail> extends ReturnType<Composer<Stored>> {
  kind: DeliveryKind;
  deliveries: { get(workspaceId: string, id: string): Promise<Delivery | undefined> };
  runs: Pick<DeliveryRuns<Stored>, 'claimMail' | 'endMail'>;
  unsubscribe: UnsubscribeTokens;
}

export interface DeliveryMailDeps {
  members(workspaceId: string, userIds: readonly string[]): Promise<People>;
  user(id: string): Promise<UserRecord | undefined>;
  mailer: Mailer;
  /** Reports that SES refused a mail. */
  refused(reason: string, place: MailPlace): void;
  now: () => Date;
}

/**
 * A message may arrive twice, or after the recipient has left, so only queued mails are sent. SES cannot recognize a
 * mail that it accepted just before the worker crashed, so such a mail is sent twice. A mail that SES refuses is not
 * sent again.
 */
export async function sendDelivery<Stored extends StoredMail>(
  deps: DeliveryMailDeps,
  { kind, deliveries, runs, unsubscribe, compose }: DeliveryMails<Stored>,
  place: Extract<MailMessage, { kind: 'delivery' }>,
): Promise<void> {
  const mail = await runs.claimMail(place, deps.now());
  if (!mail?.content) return;
  const skip = (reason: string) => runs.endMail(place, { status: 'skipped', reason, sentAt: null });
  const { workspaceId, deliveryId, userId } = place;
  const delivery = await deliveries.get(workspaceId, deliveryId);
  if (!delivery?.recipients.some((each) => each.userId === userId)) return skip('UNSUBSCRIBED');
  const email = await addressOf(deps, place, mail);
  if (email === undefined) return skip('NOT_A_MEMBER');
  const token = await unsubscribe.of({ workspaceId, deliveryId, userId });
  const { apiUrl } = delivery;
  const links = { apiUrl, unsubscribe: `${apiUrl}/${kind.unsubscribe.path}?token=${token}` };
  const composed = await compose({ ...mail, content: mail.content }, links);
  try {
    await deps.mailer.send(email, composed);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    deps.refused(error.message, place);
    return runs.endMail(place, { status: 'failed', reason: 'REFUSED', sentAt: null });
  }
  await runs.endMail(place, { status: 'sent', reason: null, sentAt: deps.now().toISOString() });
}

/** Undefined if the person has left the workspace, or their account is deactivated. */
async function addressOf(
  deps: DeliveryMailDeps,
  { workspaceId, userId }: MailPlace,
  mail: StoredMail,
): Promise<string | undefined> {
  if (mail.address !== undefined) return mail.address;
  const [members, user] = await Promise.all([deps.members(workspaceId, [userId]), deps.user(userId)]);
  return user && mayReceive(members, mail) ? trustedAddress(user) : undefined;
}
