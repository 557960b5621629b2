import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { ifHolds } from '../../../../shared/platform/storage/if-holds.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';

/** How often a person may search, and have words completed, in a minute. */
const MAX_A_MINUTE = { search: 60, suggest: 300 } as const;
const KEPT_SECONDS = 3_600;

/** Counts a request. Throws `RATE_LIMITED` beyond the limit. */
export async function countSearch(
  table: Table,
  { workspaceId, userId }: Principal,
  what: keyof typeof MAX_A_MINUTE,
): Promise<void> {
  const now = table.now();
  const minute = now.toISOString().slice(0, 16);
  const isCounted = await ifHolds(
    table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key: workspaceKey(workspaceId, 'SEARCHES', `${userId}#${what}#${minute}`),
        UpdateExpression: 'SET entity = :entity, expiresAt = :end ADD #count :one',
        ConditionExpression: 'attribute_not_exists(#count) OR #count < :max',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues: {
          ':entity': 'search-rate',
          ':end': Math.ceil(now.getTime() / 1000) + KEPT_SECONDS,
          ':one': 1,
          ':max': MAX_A_MINUTE[what],
        },
      }),
    ),
  );
  if (isCounted) return;
  const detail = `At most ${MAX_A_MINUTE[what]} such requests a minute. Try again after the time in Retry-After.`;
  throw new AppError('RATE_LIMITED', { detail, retryAfterSeconds: 60 - now.getUTCSeconds() });
}
