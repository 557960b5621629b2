import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { readMembers } from '../../tenancy/workspaces/index.ts';
import { follows } from './follows.ts';
import { announcementKey } from './keys.ts';
import { notify } from './notify.ts';
import type { NewNotification, NotificationKind } from './records.ts';

/** The partition of the due index with announcements that were interrupted. */
export const ANNOUNCEMENT_PARTITION = 'announcements';

/** The request itself announces first. */
const RESUME_MS = 30_000;
/** How long a request announces; the tick does the rest. */
const REQUEST_MS = 200;
const FOLLOWERS_AT_ONCE = 50;

/** Users, or those who follow the subject, and as what they are notified. */
type Audience =
  | { kind: NotificationKind; userIds: readonly string[]; onlyFollowers?: true }
  | { kind: NotificationKind; followers: true };

/**
 * What to notify people of after a transaction. A person in several audiences is notified as part of the first one,
 * because each person has one notification of a cause.
 */
export interface Announcement extends Omit<NewNotification, 'kind' | 'cause'> {
  cause: { id: string; at: string };
  /** Users who begin to follow the subject, unless they have chosen otherwise. */
  follow?: readonly string[];
  audiences: readonly Audience[];
}

/** How far an interrupted announcement has come. */
interface Progress {
  audience: number;
  /** The last follower who was notified. */
  after: string;
}

/** Must be part of the transaction of the act, so that a crash afterwards loses no notification. */
export function announcementItem(table: Table, announcement: Announcement): TransactItem {
  const { workspaceId, cause } = announcement;
  const dueAt = new Date(Date.parse(cause.at) + RESUME_MS).toISOString();
  const Item = { announcement, entity: 'announcement', due: ANNOUNCEMENT_PARTITION, dueAt };
  return { Put: { TableName: table.name, Item: { ...announcementKey(workspaceId, cause.id), ...Item } } };
}

/** Announces what was stored, for a short time. An error is reported only: the tick tries again. */
export async function announceNow(
  table: Table,
  { workspaceId, cause }: Announcement,
  report: (error: Error) => void,
): Promise<void> {
  const until = performance.now() + REQUEST_MS;
  try {
    await announceItemAt(table, announcementKey(workspaceId, cause.id), () => performance.now() > until);
  } catch (error) {
    report(error as Error);
  }
}

/** The same for a due item. May be repeated, and run beside another one of the same. */
export async function announceItemAt(table: Table, { pk, sk }: Key, isOver: () => boolean): Promise<void> {
  const Key = { pk, sk };
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  if (!found.Item) return;
  const { announcement, progress = START } = found.Item as { announcement: Announcement; progress?: Progress };
  const saved = (next: Progress) =>
    ifHolds(table.db.send(new UpdateCommand(updateOf(table, Key, { set: { progress: next } }, { exists: ['pk'] }))));
  if (await announceFrom(table, announcement, progress, { isOver, saved }))
    await table.db.send(new DeleteCommand({ TableName: table.name, Key }));
}

const START: Progress = { audience: 0, after: '' };

interface Steps {
  isOver(): boolean;
  saved(progress: Progress): Promise<unknown>;
}

/** Returns false if some are left once `isOver` is true. */
async function announceFrom(
  table: Table,
  { audiences, follow = [], cause, ...announcement }: Announcement,
  progress: Progress,
  { isOver, saved }: Steps,
): Promise<boolean> {
  const { workspaceId, subject } = announcement;
  const causedAt = { id: cause.id, at: new Date(cause.at) };
  const beginners = [...(await readMembers(table, workspaceId, follow)).values()];
  await follows(table).begin(beginners, subject);
  for (const [index, audience] of audiences.entries()) {
    if (index < progress.audience) continue;
    const { kind } = audience;
    const notification = { ...announcement, cause: causedAt, kind };
    if ('userIds' in audience) {
      if (isOver()) return false;
      const { userIds, onlyFollowers } = audience;
      await notify(table, { ...notification, userIds, ...(onlyFollowers && { onlyFollowers }) });
      continue;
    }
    let after = index === progress.audience ? progress.after : '';
    for (;;) {
      if (isOver()) return false;
      const page = await follows(table).list(workspaceId, subject, { after, limit: FOLLOWERS_AT_ONCE });
      const userIds = page.map(({ userId }) => userId);
      await notify(table, { ...notification, userIds, onlyFollowers: true });
      if (page.length < FOLLOWERS_AT_ONCE) break;
      after = page.at(-1)!.userId;
      await saved({ audience: index, after });
    }
  }
  return true;
}
