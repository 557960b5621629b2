import { createHash } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { ifHolds } from './if-holds.ts';
import { type Key, uniqueKey } from './keys.ts';
import type { Table } from './table.ts';

/** What a random secret stands for, until it is taken or expires. */
export interface OneTime<T extends object> {
  put(secret: string, content: T, seconds: number): Promise<void>;
  /**
   * Of many simultaneous calls one gets the content; undefined for the others, and for a secret that is unknown or
   * expired.
   */
  take(secret: string): Promise<T | undefined>;
  /** Returns false if the secret was put before, and has not expired since. */
  putOnce(secret: string, seconds: number): Promise<boolean>;
}

/** Contents of one kind, stored under the digest of their secret. */
export function oneTime<T extends object>(table: Table, kind: string): OneTime<T> {
  const key = (secret: string): Key => uniqueKey(`ONE-TIME#${kind}`, createHash('sha256').update(secret).digest('hex'));
  const nowSeconds = () => Math.floor(table.now().getTime() / 1000);

  return {
    async put(secret, content, seconds) {
      const Item = { ...key(secret), entity: 'one-time', content, expiresAt: nowSeconds() + seconds };
      await table.db.send(new PutCommand({ TableName: table.name, Item }));
    },

    async take(secret) {
      const taken = await table.db.send(
        new DeleteCommand({ TableName: table.name, Key: key(secret), ReturnValues: 'ALL_OLD' }),
      );
      const { content, expiresAt = 0 } = (taken.Attributes ?? {}) as { content?: T; expiresAt?: number };
      return expiresAt > nowSeconds() ? content : undefined;
    },

    putOnce: (secret, seconds) =>
      ifHolds(
        table.db.send(
          new PutCommand({
            TableName: table.name,
            Item: { ...key(secret), entity: 'one-time', expiresAt: nowSeconds() + seconds },
            ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
            ExpressionAttributeValues: { ':now': nowSeconds() },
          }),
        ),
      ),
  };
}
