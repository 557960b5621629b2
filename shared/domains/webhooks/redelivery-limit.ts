import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../platform/errors/app-error.ts';
import { workspaceKey } from '../../platform/storage/keys.ts';
import type { Table } from '../../platform/storage/table.ts';

/** How often in a minute a webhook may be asked for something again. */
const TURNS = { redeliver: 60, replay: 1 } as const;

/** Takes one of the minute's turns; throws `TOO_MANY_REDELIVERIES` when there is none left. */
export async function takeTurn(
  table: Table,
  { workspaceId, id }: { workspaceId: string; id: string },
  what: keyof typeof TURNS,
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
          ':most': TURNS[what],
          ':expiresAt': Math.floor(now.getTime() / 1000) + 3600,
        },
      }),
    );
  } catch (cause) {
    if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
    throw new AppError('TOO_MANY_REDELIVERIES', { cause, retryAfterSeconds: 60 - now.getUTCSeconds() });
  }
}
