import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { listedKey, readMark, unreadKey } from './keys.ts';
import { KEPT_DAYS } from './notify.ts';
import type { PersonalNotification } from './reader.ts';
import type { NotifiedPerson } from './records.ts';

/** More than lies between the time of a notification and the moment from which lists show it. */
const MARGIN_MS = 10_000;
const MAX_RECENT = 400;

/** What lists have shown to a person: everything written before an instant, and these of after it. */
interface Listed {
  /** The type of subjects that the lists were of; null for all. */
  subjectType: string | null;
  until: string;
  recent: string[];
}

export interface ListedNotifications {
  /** Stores that a list has shown these; what was shown before stays so. */
  add(
    person: NotifiedPerson,
    list: { subjectType: string | null; items: readonly PersonalNotification[]; at: Date },
  ): Promise<void>;
  /**
   * Marks as read what lists have shown, up to the notification if one is given. What arrived since stays unread, also
   * if its cause is older. Without any list before, it is what has been written so far.
   */
  markRead(person: NotifiedPerson, upTo?: string): Promise<void>;
}

export function listedNotifications(table: Table): ListedNotifications {
  const read = async (person: NotifiedPerson): Promise<Listed[]> =>
    (await Array.fromAsync(itemsBelow(table, listedKey(person, '')))) as unknown as Listed[];

  return {
    async add(person, { subjectType, items, at }) {
      const until = new Date(at.getTime() - MARGIN_MS).toISOString();
      const before = (await read(person)).find((each) => each.subjectType === subjectType);
      const isRecent = ({ isUnread, writtenAt }: PersonalNotification) => isUnread && writtenAt! > until;
      const recent = [...items.filter(isRecent).map(({ id }) => id), ...(before?.recent ?? [])];
      const Item = {
        ...listedKey(person, subjectType ?? 'all'),
        ...{ entity: 'listed', subjectType, until, recent: [...new Set(recent)].slice(0, MAX_RECENT) },
        expiresAt: Math.ceil((at.getTime() + KEPT_DAYS * DAY_MS) / 1000),
      };
      // Lists at the same time only go forward.
      await ifHolds(
        table.db.send(
          new PutCommand({
            TableName: table.name,
            Item,
            ConditionExpression: 'attribute_not_exists(pk) OR #until <= :until',
            ExpressionAttributeNames: { '#until': 'until' },
            ExpressionAttributeValues: { ':until': until },
          }),
        ),
      );
    },

    async markRead(person, upTo) {
      const listed = await read(person);
      const everything: Listed = { subjectType: null, until: table.now().toISOString(), recent: [] };
      const shown = listed.length > 0 ? listed : [everything];
      const marks = await Array.fromAsync(itemsBelow(table, unreadKey(person, '')));
      const seen = marks.filter((item) => {
        const { subject, id } = readMark(item.sk as string);
        if (upTo !== undefined && id > upTo) return false;
        return shown.some(
          ({ subjectType, until, recent }) =>
            (subjectType === null || subjectType === subject.type) &&
            ((item.writtenAt as string) <= until || recent.includes(id)),
        );
      });
      const keys = seen.map(({ pk, sk }) => ({ pk: pk as string, sk: sk as string }));
      await deleteItems(table, keys, () => false);
    },
  };
}
