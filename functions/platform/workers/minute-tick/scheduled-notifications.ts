import type { MailMessage } from '../../../../shared/domains/delivery/mails/index.ts';
import {
  ANNOUNCEMENT_PARTITION,
  announceItemAt,
  MAIL_BATCH_PARTITIONS,
} from '../../../../shared/domains/delivery/notifications/index.ts';
import type { MessageQueue } from '../../../../shared/platform/messaging/message-queue.ts';
import { dueItems, type Failure, workOnDue } from '../../../../shared/platform/storage/due-items.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { repeated, type Scheduled } from './announce-due.ts';

/** Until the mail is sent, its message is sent again after this time. */
const AGAIN_MS = 10 * 60_000;

/** Batches of notifications whose mail is due. A deployment that sends no mail takes them out of the index. */
export const scheduledNotifications = (queue: MessageQueue<MailMessage> | undefined): Scheduled<MailMessage> => ({
  partitions: MAIL_BATCH_PARTITIONS,
  queue: queue ?? { send: async () => undefined },
  async find(item) {
    if (!queue) return { next: () => undefined, message: () => messageOf(item) };
    return repeated(item, AGAIN_MS, messageOf(item));
  },
});

const messageOf = ({ pk, sk }: { pk: string; sk: string }): MailMessage => ({
  kind: 'notifications',
  workspaceId: pk.split('#')[1]!,
  batch: { pk, sk },
});

/** Notifies the people whom a request has left, until `deadline`; the next tick continues. */
export function resumeAnnouncements(
  context: { table: Table; now: () => Date },
  deadline: Date,
  report: (failure: Failure) => void,
): Promise<Failure[]> {
  const isOver = () => context.now() >= deadline;
  const due = dueItems(context.table, ANNOUNCEMENT_PARTITION, context.now());
  return workOnDue(due, (item) => announceItemAt(context.table, item, isOver), report, isOver);
}
