import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { EndedMember } from '../../tenancy/workspaces/index.ts';
import { batchPartition, followKey, listedKey, mailCountKey, notificationKey, unreadKey } from './keys.ts';
import type { NotifiedPerson, SubjectRef } from './records.ts';

async function endBelow(table: Table, below: Key, isOver: () => boolean): Promise<boolean> {
  const keys = await Array.fromAsync(itemsBelow(table, { ...below, sk: '' }), ({ pk, sk }) => ({
    pk: pk as string,
    sk: sk as string,
  }));
  return deleteItems(table, keys, isOver);
}

/** What a removed member leaves. Returns false if some is left once `isOver` is true. */
async function endNotificationsOf(table: Table, person: NotifiedPerson, isOver: () => boolean): Promise<boolean> {
  // Without the batches no mail is sent any more.
  return (
    (await endBelow(table, batchPartition(person), isOver)) &&
    (await endBelow(table, mailCountKey(person, ''), isOver)) &&
    (await endBelow(table, unreadKey(person, ''), isOver)) &&
    (await endBelow(table, listedKey(person, ''), isOver)) &&
    endBelow(table, notificationKey(person, ''), isOver)
  );
}

/**
 * The followers of a subject that has ended. What people were notified of about it is shown to none of them, and
 * expires.
 */
export const endFollows = (
  table: Table,
  { workspaceId, ...subject }: SubjectRef & { workspaceId: string },
  isOver: () => boolean,
): Promise<boolean> => endBelow(table, followKey(workspaceId, subject, ''), isOver);

export const notificationCleanUps: readonly [CleanUp<EndedMember>] = [{ kind: 'member', remove: endNotificationsOf }];
