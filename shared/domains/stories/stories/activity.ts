import { randomInt } from 'node:crypto';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { queryItems } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { activityKey, type StoryPlace } from './keys.ts';
import type { Activity } from './records.ts';

/** How long the activity of a story is kept. */
const KEPT_DAYS = 400;

/** Activities of one millisecond differ in the digits below it. */
const PER_MS = 1000;

export type NewActivity = Pick<Activity, 'action'> & Partial<Pick<Activity, 'sectionId' | 'version'>>;

/** The item for the transaction of the change. Ids follow the clock, so that writers need no common counter. */
export function activityItem(
  table: Table,
  place: StoryPlace,
  { action, sectionId = null, version = null }: NewActivity,
  { by, at }: { by: string; at: Date },
): TransactItem {
  const activity: Activity = {
    id: at.getTime() * PER_MS + randomInt(PER_MS),
    action,
    by,
    at: at.toISOString(),
    sectionId,
    version,
  };
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...activity,
        ...activityKey(place, activity.id),
        entity: 'story-activity',
        expiresAt: Math.floor((at.getTime() + KEPT_DAYS * DAY_MS) / 1000),
      },
    },
  };
}

/** Newest first, those before an id. */
export async function listActivity(
  table: Table,
  place: StoryPlace,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<Activity[]> {
  const { pk, sk } = activityKey(place, before ?? Number.MAX_SAFE_INTEGER);
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk < :before',
    ExpressionAttributeValues: { ':pk': pk, ':before': sk },
    ConsistentRead: true,
    ScanIndexForward: false,
  };
  const items = await Array.fromAsync(queryItems(table, query, limit));
  return items.map((item) => toRecord<Activity>(item));
}
