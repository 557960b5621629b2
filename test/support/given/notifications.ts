import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  type NotificationMailDeps,
  sendNotifications,
} from '../../../functions/platform/workers/send-mail/send-notifications.ts';
import {
  MAIL_BATCH_PARTITIONS,
  mailBatches,
  mailTokens,
  type NewNotification,
  notificationReader,
  notify,
} from '../../../shared/domains/delivery/notifications/index.ts';
import { openSubjects } from '../../../shared/domains/tenancy/subjects/index.ts';
import { NOTIFICATION_TEXTS } from '../../../shared/domains/upkeep/notification-texts/index.ts';
import { NOTIFIED_KINDS } from '../../../shared/domains/upkeep/subject-kinds/index.ts';
import { MasterSecret } from '../../../shared/platform/crypto/master-secret.ts';
import type { Mail } from '../../../shared/platform/mail/compose.ts';
import { dueItems } from '../../../shared/platform/storage/due-items.ts';
import { ifHolds } from '../../../shared/platform/storage/if-holds.ts';
import type { Key } from '../../../shared/platform/storage/keys.ts';
import { itemsBelow } from '../../../shared/platform/storage/query-items.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';
import { updateOf } from '../../../shared/platform/storage/update.ts';
import type { Api } from '../api.ts';

export const COMMENTED = { name: 'test.commented', phrase: 'commented', mail: 'gathered' } as const;
export const MENTIONED = { name: 'test.mentioned', phrase: 'mentioned you', mail: 'soon' } as const;

export interface Clock {
  table: Table;
  now: Date;
  pass(seconds: number): void;
}

/** The table of a deployment at a time that only the test moves. */
export function clockOf({ table }: Api): Clock {
  const clock: Clock = {
    now: new Date(),
    pass(seconds) {
      clock.now = new Date(clock.now.getTime() + seconds * 1000);
    },
    table: { ...table, now: () => clock.now },
  };
  return clock;
}

/** A notification about a dashboard, caused at the time of the clock. */
export const notificationOf = (
  { workspaceId, endpoint }: Api,
  clock: Clock,
  about: { dashboardId: string } & Partial<NewNotification>,
): NewNotification => {
  const { dashboardId, ...more } = about;
  return {
    workspaceId,
    cause: { id: crypto.randomUUID(), at: clock.now },
    kind: COMMENTED,
    subject: { type: 'dashboard', id: dashboardId },
    actorId: null,
    title: 'A comment',
    text: 'What was written',
    apiUrl: `${endpoint}/api`,
    ...more,
  };
};

export const tell = (clock: Clock, notification: NewNotification, ...userIds: string[]): Promise<void> =>
  notify(clock.table, { ...notification, userIds });

export interface Sent {
  to: string;
  mail: Mail;
}

/** What the worker of mails in this process signs links with. */
export const WORKER_SECRET = new MasterSecret(async () => ({ version: 1, secret: Buffer.alloc(32, 7) }));

/** The worker of mails, at the time of the clock. Its mails go into a list. */
export function mailWorker(clock: Clock, fails: () => boolean = () => false) {
  const sent: Sent[] = [];
  const { table } = clock;
  const deps: NotificationMailDeps = {
    table,
    see: openSubjects(table, NOTIFIED_KINDS).find,
    texts: NOTIFICATION_TEXTS,
    batches: mailBatches(table),
    reader: notificationReader(table),
    tokens: mailTokens(WORKER_SECRET),
    mailer: {
      async send(to, mail) {
        if (fails()) throw new Error('the mail service is down');
        sent.push({ to, mail });
      },
    },
    refused: () => undefined,
  };
  return { sent, send: (key: Key) => sendNotifications(deps, key) };
}

/** Later than every time in the index, as texts too. */
export const END_OF_TIME = new Date('9999-12-31T00:00:00Z');

const heldPartition = ({ workspaceId }: Api): string => `held-mail-batch#${workspaceId}`;

/**
 * Hides the batches of the workspace from the minute tick of the deployment, which would send them a minute or two
 * after they were begun, before a slow test looks.
 */
export async function holdMails(api: Api): Promise<void> {
  const { table, workspaceId } = api;
  for (const partition of MAIL_BATCH_PARTITIONS)
    for await (const { pk, sk } of dueItems(table, partition, END_OF_TIME)) {
      if (!pk.startsWith(`W#${workspaceId}#`)) continue;
      const held = updateOf(table, { pk, sk }, { set: { due: heldPartition(api) } }, { equals: { due: partition } });
      await ifHolds(table.db.send(new UpdateCommand(held)));
    }
}

/** What is due for people of the workspace by the time of the clock, as the minute tick finds it. */
export async function dueBatches(api: Api, { table, now }: Clock): Promise<Key[]> {
  await holdMails(api);
  const due = await Array.fromAsync(dueItems(table, heldPartition(api), now));
  return due.map(({ pk, sk }) => ({ pk, sk }));
}

/** Lets time pass, minute by minute, with a tick that has every due batch looked at. */
export async function passMinutes(
  api: Api,
  clock: Clock,
  worker: Pick<ReturnType<typeof mailWorker>, 'send'>,
  minutes: number,
): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    clock.pass(60);
    for (const key of await dueBatches(api, clock)) await worker.send(key);
  }
}

/** How many items there are below the key. */
export async function countBelow(table: Table, key: Key): Promise<number> {
  return (await Array.fromAsync(itemsBelow(table, key))).length;
}
