import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import { newId } from '../../../platform/storage/ids.ts';
import { itemsBelow, queryItems } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { notificationKey, readMark, unreadKey } from './keys.ts';
import { KEPT_DAYS } from './notify.ts';
import type { NotifiedPerson, StoredNotification, SubjectRef } from './records.ts';

/** A badge counts no further. */
export const MAX_UNREAD = 100;
/** How many notifications of other kinds a page skips at most. */
const MAX_EXAMINED = 2_000;

/** An unread one has the time of its writing, which may be after its cause. */
export type PersonalNotification = StoredNotification & { isUnread: boolean; writtenAt: string | null };

export interface NotificationReader {
  /**
   * Newest first, those of the kinds, after the end of the previous page. `last` is the place where this page ends;
   * undefined at the end of the list.
   */
  list(
    person: NotifiedPerson,
    page: { limit: number; after?: string | undefined; kinds?: readonly string[] | undefined },
  ): Promise<{ items: PersonalNotification[]; last: string | undefined }>;
  getMany(person: NotifiedPerson, ids: readonly string[]): Promise<StoredNotification[]>;
  /** The newest unread ones of each subject, at most `MAX_UNREAD`. */
  unread(person: NotifiedPerson): Promise<{ subject: SubjectRef; id: string }[]>;
  /** Marks these as read; unknown ids change nothing. */
  markRead(person: NotifiedPerson, ids: readonly string[]): Promise<void>;
}

export function notificationReader(table: Table): NotificationReader {
  /** Before every id of a notification that is still kept: expired items may stay in the table for days. */
  const oldestId = () => newId(new Date(table.now().getTime() - KEPT_DAYS * DAY_MS), Buffer.alloc(10));
  const isKept = ({ expiresAt }: Record<string, unknown>) => Number(expiresAt) > table.now().getTime() / 1000;

  return {
    async list(person, { limit, after, kinds }) {
      const { pk } = notificationKey(person, '');
      const query = {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :oldest AND :newest',
        ExpressionAttributeValues: { ':pk': pk, ':oldest': oldestId(), ':newest': after ?? 'g' },
        ScanIndexForward: false,
        ConsistentRead: true,
      };
      const items: StoredNotification[] = [];
      let examined = 0;
      let last: string | undefined;
      for await (const item of queryItems(table, query)) {
        if (item.sk === after) continue;
        if (items.length === limit || examined === MAX_EXAMINED) {
          last = items.length === limit ? items.at(-1)!.id : last;
          return { items: await withMarks(person, items), last };
        }
        examined += 1;
        last = item.sk as string;
        if (!kinds || kinds.includes(item.kind as string)) items.push(toRecord<StoredNotification>(item));
      }
      return { items: await withMarks(person, items), last: undefined };
    },

    async getMany(person, ids) {
      const keys = [...new Set(ids)].map((id) => notificationKey(person, id));
      return (await readItems(table, keys)).map((item) => toRecord<StoredNotification>(item));
    },

    async unread(person) {
      const place = unreadKey(person, '');
      const items = await Array.fromAsync(itemsBelow(table, place, { newestFirst: true, atMost: MAX_UNREAD }));
      return items.filter(isKept).map(({ sk }) => readMark(sk as string));
    },

    async markRead(person, ids) {
      const keys = [...new Set(ids)].map((id) => notificationKey(person, id));
      const marks = (await readItems(table, keys)).map(({ mark }) => unreadKey(person, mark as string));
      await deleteItems(table, marks, () => false);
    },
  };

  async function withMarks(
    person: NotifiedPerson,
    items: readonly StoredNotification[],
  ): Promise<PersonalNotification[]> {
    const marks = await readItems(
      table,
      items.map(({ mark }) => unreadKey(person, mark)),
    );
    const unread = new Map(marks.map(({ sk, writtenAt }) => [sk, writtenAt as string]));
    return items.map((item) => ({
      ...item,
      isUnread: unread.has(item.mark),
      writtenAt: unread.get(item.mark) ?? null,
    }));
  }
}
