import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import {
  deliveryRuns,
  type StoredMail,
  unsubscribeTokens,
} from '../../../../shared/domains/delivery/deliveries/index.ts';
import type { MailMessage } from '../../../../shared/domains/delivery/mails/index.ts';
import {
  mailBatches,
  mailTokens,
  notificationReader,
} from '../../../../shared/domains/delivery/notifications/index.ts';
import { addressNotices } from '../../../../shared/domains/identity/address-changes/index.ts';
import { signInPolicy } from '../../../../shared/domains/identity/identity-providers/index.ts';
import { invitationRepository, invitationTokens } from '../../../../shared/domains/identity/invitations/index.ts';
import { passwordResets } from '../../../../shared/domains/identity/password-resets/index.ts';
import { openSubjects } from '../../../../shared/domains/tenancy/subjects/index.ts';
import {
  readCompany,
  readPeople,
  readUser,
  readUserByEmail,
  readWorkspace,
} from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { NOTIFICATION_TEXTS } from '../../../../shared/domains/upkeep/notification-texts/index.ts';
import { NOTIFIED_KINDS } from '../../../../shared/domains/upkeep/subject-kinds/index.ts';
import { MasterSecret, parameterReader } from '../../../../shared/platform/crypto/master-secret.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { mailer } from '../../../../shared/platform/mail/mailer.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import { COMPOSERS, DELIVERIES, ofKind } from '../../../delivery/kinds/registry.ts';
import { type AddressMailDeps, sendAddressNotice } from './send-address-notice.ts';
import { type DeliveryMailDeps, type DeliveryMails, sendDelivery } from './send-delivery.ts';
import { type InvitationMailDeps, sendInvitation } from './send-invitation.ts';
import { type NotificationMailDeps, sendNotifications } from './send-notifications.ts';
import { type OwnerInactiveDeps, sendOwnerInactive } from './send-owner-inactive.ts';
import { type ResetMailDeps, sendPasswordReset } from './send-password-reset.ts';

const log = createLogger('send-mail');
const table = openTable(environment('TABLE_NAME'));
/** Absent in a deployment that sends no mail; its queue gets no messages. */
const { MAIL_FROM: sender, APP_URL: appUrl } = process.env;

const master = new MasterSecret(parameterReader(environment('MASTER_SECRET_PARAMETER')));

const objects = objectStore(environment('DATA_BUCKET'));

const deps: ResetMailDeps & InvitationMailDeps & DeliveryMailDeps & AddressMailDeps & OwnerInactiveDeps = {
  notices: addressNotices(table),
  company: (id) => readCompany(table, id),
  resets: passwordResets(table),
  policy: signInPolicy(table),
  invitations: invitationRepository(table),
  tokens: invitationTokens(master),
  members: (workspaceId, userIds) => readPeople(table, workspaceId, userIds),
  userByEmail: (email) => readUserByEmail(table, email),
  user: (id) => readUser(table, id),
  workspace: (id) => readWorkspace(table, id),
  mailer: mailer(sender ?? ''),
  refused: (reason, { deliveryId, runId }) => log.warn('SES refused a mail', { reason, deliveryId, runId }),
  appUrl,
  now: table.now,
};

const notifications: NotificationMailDeps = {
  table,
  see: openSubjects(table, NOTIFIED_KINDS).find,
  texts: NOTIFICATION_TEXTS,
  batches: mailBatches(table),
  reader: notificationReader(table),
  tokens: mailTokens(master),
  mailer: deps.mailer,
  refused: (reason, { workspaceId, userId }) => log.warn('SES refused a mail', { reason, workspaceId, userId }),
};

/** Throws for an unknown kind. */
function mailsOf(name: string): DeliveryMails<StoredMail> {
  const { kind, deliveries } = ofKind(DELIVERIES, name);
  return {
    kind,
    deliveries: deliveries(table),
    runs: deliveryRuns(table, kind),
    unsubscribe: unsubscribeTokens(master, kind),
    ...ofKind(COMPOSERS, name)({ objects }),
  };
}

export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const failed = await Promise.all(event.Records.map(async (record) => ((await isHandled(record)) ? [] : [record])));
  return { batchItemFailures: failed.flat().map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

async function isHandled({ messageId, body }: SQSRecord): Promise<boolean> {
  try {
    const message = JSON.parse(body) as MailMessage;
    if (message.kind === 'invitation') await sendInvitation(deps, message);
    else if (message.kind === 'ownerInactive') await sendOwnerInactive(deps, mailsOf(message.delivery), message);
    else if (message.kind === 'notifications') await sendNotifications(notifications, message.batch);
    else if (message.kind === 'addressChange') await sendAddressNotice(deps, message);
    else if (message.kind === 'delivery') await sendDelivery(deps, mailsOf(message.delivery), message);
    else await sendPasswordReset(deps, message);
    return true;
  } catch (error) {
    log.error('failed to send a mail', { error: error as Error, messageId });
    return false;
  }
}
