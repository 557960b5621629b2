import { AppError } from '../../../platform/errors/app-error.ts';
import { idAt, newId } from '../../../platform/storage/ids.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { readPeople } from '../../tenancy/workspaces/index.ts';
import { growItem, readBatch } from './batches.ts';
import { follows } from './follows.ts';
import { batchKey, markOf, notificationKey, unreadKey } from './keys.ts';
import {
  EVERY_SUBJECT,
  type Follow,
  type MailTiming,
  type NewNotification,
  type NotifiedPerson,
  type OutsideAddress,
  type StoredNotification,
} from './records.ts';

/** How long a notification is kept. */
export const KEPT_DAYS = 90;
/** How many people are notified at the same time. */
const AT_ONCE = 10;

/**
 * Why a person is not notified, or gets no mail: the act was their own, they have muted the subject, or have
 * unsubscribed from the mails about it.
 */
export const SILENCES = ['SELF', 'MUTED', 'UNSUBSCRIBED'] as const;
export type Silence = (typeof SILENCES)[number];

/** What keeps a person from being notified; `UNSUBSCRIBED` keeps only the mail away. */
export function silenceOf(userId: string, actorId: string | null, follow: Follow | undefined): Silence | undefined {
  if (userId === actorId) return 'SELF';
  if (follow?.state === 'muted') return 'MUTED';
  return follow?.noMail ? 'UNSUBSCRIBED' : undefined;
}

/**
 * Notifies the members among the users, except for the actor. May be repeated, and run beside itself: each person has
 * one notification of a cause. Access to the subject is not checked here, but whenever the notification is shown or
 * sent.
 */
export async function notify(table: Table, notification: Audience & { userIds: readonly string[] }): Promise<void> {
  const { workspaceId, userIds } = notification;
  const people = [...(await readPeople(table, workspaceId, userIds)).values()].filter(({ isActive }) => isActive);
  const members = people.map(({ userId, membershipId }) => ({ workspaceId, userId, membershipId }));
  await notifyEach(table, notification, members);
}

/** The same for addresses outside the workspace, which get the mails. */
export const notifyAddresses = (
  table: Table,
  { addresses, ...notification }: NewNotification & { addresses: readonly OutsideAddress[] },
): Promise<void> =>
  notifyEach(
    table,
    notification,
    addresses.map(({ userId, address }) => ({ workspaceId: notification.workspaceId, userId, address })),
  );

interface Audience extends NewNotification {
  /** Leaves out those who do not follow the subject now. */
  onlyFollowers?: true;
}

async function notifyEach(table: Table, notification: Audience, people: readonly NotifiedPerson[]): Promise<void> {
  const { subject, actorId, onlyFollowers } = notification;
  const chosen = await follows(table).read(people, subject);
  for (let start = 0; start < people.length; start += AT_ONCE) {
    await Promise.all(
      people.slice(start, start + AT_ONCE).map(async (person) => {
        const follow = chosen.get(person.userId);
        const silence = silenceOf(person.userId, actorId, follow);
        if (silence === 'SELF' || silence === 'MUTED') return;
        if (onlyFollowers && follow?.state !== 'following') return;
        await notifyPerson(table, notification, person, silence ? 'none' : notification.kind.mail);
      }),
    );
  }
}

/** The same for every person. */
export const notificationId = ({ id, at }: NewNotification['cause']): string => idAt(at, id);

/** Undefined without a mail. */
function placeOfMail(
  { kind, subject }: Pick<NewNotification, 'kind' | 'subject'>,
  person: NotifiedPerson,
  timing: MailTiming,
) {
  if (timing === 'none') return undefined;
  return { ...person, subject: kind.mailsTogether ? { ...subject, id: EVERY_SUBJECT } : subject, timing };
}

function notifyPerson(
  table: Table,
  { cause, kind, subject, partId, actorId, title, text, apiUrl }: NewNotification,
  person: NotifiedPerson,
  timing: MailTiming,
): Promise<void> {
  const id = notificationId(cause);
  const expiresAt = Math.ceil(table.now().getTime() / 1000) + KEPT_DAYS * 24 * 60 * 60;
  return onNewest('STALE_WRITE', async () => {
    const place = placeOfMail({ kind, subject }, person, timing);
    const seen = place && (await readBatch(table, batchKey(person, place.subject, timing)));
    const batchId = place ? (seen?.id ?? newId(table.now())) : '';
    const mark = markOf({ subject: place?.subject ?? subject, timing, batchId, id });
    const stored: StoredNotification = {
      ...{ id, ...person, kind: kind.name, phrase: kind.phrase, subject, actorId, mark },
      title: title ?? null,
      partId: partId ?? null,
      text: text ?? null,
      causedAt: cause.at.toISOString(),
    };
    const unread = { ...unreadKey(person, mark), entity: 'unread', writtenAt: table.now().toISOString(), expiresAt };
    try {
      await transact(table, [
        {
          Put: {
            TableName: table.name,
            Item: { ...stored, ...notificationKey(person, id), entity: 'notification', expiresAt },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        { Put: { TableName: table.name, Item: unread } },
        ...(place ? [growItem(table, { place, seen, batchId, apiUrl, id, isAlways: kind.mailsAlways ?? false })] : []),
      ]);
    } catch (cause) {
      const failed = failedConditions(cause);
      // The person is notified already.
      if (failed.has(0)) return;
      if (failed.size > 0) throw new AppError('STALE_WRITE', { cause });
      throw cause;
    }
  });
}
