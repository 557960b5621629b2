import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { ifHolds } from '../../../shared/platform/storage/if-holds.ts';
import { uniqueKey } from '../../../shared/platform/storage/keys.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';

const DAY_SECONDS = 24 * 60 * 60;
const MAX_WRONG_CODES = 30;

/** The wrong codes of a user within 24 hours, from all addresses. */
export interface WrongCodes {
  /**
   * Counts a code before it is checked, so that concurrent codes count like consecutive ones. Throws
   * `TOO_MANY_ATTEMPTS`. Call the returned function if the code was right.
   */
  count(userId: string): Promise<() => Promise<void>>;
}

/**
 * A code has six digits, and the limits of sign-ins start again every 15 minutes at every address: an attacker who
 * knows the password could go on guessing for weeks. Codes are asked for after the password, so that strangers cannot
 * use this limit to lock a user out.
 */
export function wrongCodes(table: Table): WrongCodes {
  const keyOf = (userId: string) => uniqueKey('WRONG-CODES', userId);

  /** The first code after the end of a day begins another one. */
  async function add(userId: string, now: number): Promise<void> {
    const values = { ':one': 1, ':now': now, ':end': now + DAY_SECONDS };
    const begun = await ifHolds(
      table.db.send(
        new UpdateCommand({
          TableName: table.name,
          Key: keyOf(userId),
          UpdateExpression: 'SET codes = :one, expiresAt = :end',
          ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
          ExpressionAttributeValues: values,
        }),
      ),
    );
    if (begun) return;
    await table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keyOf(userId),
        UpdateExpression: 'ADD codes :one',
        ConditionExpression: 'codes < :max',
        ExpressionAttributeValues: { ':one': 1, ':max': MAX_WRONG_CODES },
      }),
    );
  }

  const subtract = (userId: string): Promise<boolean> =>
    ifHolds(
      table.db.send(
        new UpdateCommand({
          TableName: table.name,
          Key: keyOf(userId),
          UpdateExpression: 'ADD codes :by',
          ConditionExpression: 'codes > :none',
          ExpressionAttributeValues: { ':by': -1, ':none': 0 },
        }),
      ),
    );

  return {
    async count(userId) {
      const now = Math.floor(table.now().getTime() / 1000);
      try {
        await add(userId, now);
      } catch (cause) {
        if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
        const Key = keyOf(userId);
        const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
        const end = (found.Item?.expiresAt as number | undefined) ?? now;
        throw new AppError('TOO_MANY_ATTEMPTS', { cause, retryAfterSeconds: Math.max(end - now, 1) });
      }
      return async () => void (await subtract(userId));
    },
  };
}
