import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { allPresence, presenceKey, type StoryPlace } from './keys.ts';

/** How long a person counts as present after a heartbeat. */
export const PRESENT_MS = 45_000;
/** How long the reading of a story is kept after the last time. */
const KEPT_DAYS = 400;

/** A person who reads a story or has it open. */
export interface StoryReader {
  userId: string;
  name: string;
  firstReadAt: string;
  lastReadAt: string;
  secondsRead: number;
  /** The newest published version that the person has read; null for the draft alone. */
  version: number | null;
  /** When the person last had the draft open; absent for readers of published versions. */
  openAt?: string;
  sectionId: string | null;
}

export interface Heartbeat {
  userId: string;
  name: string;
  seconds: number;
  /** The published version that is read; null for the draft. */
  version: number | null;
  sectionId: string | null;
}

/** Notes a heartbeat with one write. */
export async function noteHeartbeat(
  table: Table,
  place: StoryPlace,
  { userId, name, seconds, version, sectionId }: Heartbeat,
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  const isDraft = version === null;
  await table.db.send(
    new UpdateCommand({
      TableName: table.name,
      Key: presenceKey(place, userId),
      UpdateExpression: `SET entity = :entity, userId = :user, #name = :name, sectionId = :section, lastReadAt = :at, firstReadAt = if_not_exists(firstReadAt, :at), expiresAt = :expires, ${isDraft ? 'openAt = :at, version = if_not_exists(version, :version)' : 'version = :version'} ADD secondsRead :seconds${isDraft ? '' : ' REMOVE openAt'}`,
      ExpressionAttributeNames: { '#name': 'name' },
      ExpressionAttributeValues: {
        ':entity': 'story-reader',
        ':user': userId,
        ':name': name,
        ':section': sectionId,
        ':at': at,
        ':expires': Math.floor((now.getTime() + KEPT_DAYS * DAY_MS) / 1000),
        ':version': version,
        ':seconds': seconds,
      },
    }),
  );
}

/** All who have read the story or have had it open. */
export async function listReaders(table: Table, place: StoryPlace): Promise<StoryReader[]> {
  return (await Array.fromAsync(itemsBelow(table, allPresence(place)))) as unknown as StoryReader[];
}
