import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { type StoryPlace, shareCountKey } from './keys.ts';

const MAX_PER_HOUR = 5;
const HOUR_MS = 60 * 60 * 1000;

/** Counts that a story is posted to a chat channel. Fails the transaction beyond five in a clock hour. */
export function shareCountItem(table: Table, place: StoryPlace, at: Date): TransactItem {
  const hour = Math.floor(at.getTime() / HOUR_MS);
  return {
    Update: {
      TableName: table.name,
      Key: shareCountKey(place, hour),
      UpdateExpression: 'ADD used :one SET expiresAt = :expiresAt',
      ConditionExpression: 'attribute_not_exists(used) OR used < :max',
      ExpressionAttributeValues: { ':one': 1, ':max': MAX_PER_HOUR, ':expiresAt': ((hour + 2) * HOUR_MS) / 1000 },
    },
  };
}
