import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../platform/errors/app-error.ts';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import type { Table } from '../../../platform/storage/table.ts';

/** How many redeliveries and replays a webhook may start per minute. */
const MAX_PER_MINUTE = { redeliver: 60, replay: 1 } as const;

/** Counts a redelivery or a replay. Throws `TOO_MANY_REDELIVERIES` beyond the limit. */
export async function countRedelivery(
  table: Table,
  { workspaceId, id }: { workspaceId: string; id: string },
  what: keyof typeof MAX_PER_MINUTE,
  now: Date,
): Promise<void> {
  const minute = now.toISOString().slice(0, 16);
  try {
    await table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key: workspaceKey(workspaceId, 'REDELIVERIES', `${id}#${what}#${minute}`),
        UpdateExpression: 'SET expiresAt = :expiresAt ADD turns :one',
        ConditionExpression: 'attribute_not_exists(turns) OR turns < :most',
        ExpressionAttributeValues: {
          ':one': 1,
          ':most': MAX_PER_MINUTE[what],
          ':expiresAt': Math.floor(now.getTime() / 1000) + 3600,
        },
      }),
    );
  } catch (cause) {
    if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
    throw new AppError('TOO_MANY_REDELIVERIES', { cause, retryAfterSeconds: 60 - now.getUTCSeconds() });
  }
}
