import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { serviceClock } from './service-clock.ts';

/** The one table and a client for it. Repositories write its commands; keys come from `keys.ts`. */
export interface Table {
  readonly name: string;
  readonly db: DynamoDBDocumentClient;
  /** The time that everybody who works with the table goes by. */
  now(): Date;
}

export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export function openTable(name: string, client = new DynamoDBClient({}), ownMs = Date.now): Table {
  return {
    name,
    now: serviceClock(client, ownMs),
    db: DynamoDBDocumentClient.from(client, {
      // A map with a member that authors have named `constructor` looks like an instance of a class.
      marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
    }),
  };
}

/** Sparse index over the items that carry `collection` and `position`: lists in order, keys only. */
export const BY_COLLECTION = 'byCollection';

/** Sparse index over the items that carry `due` and `dueAt`: work that falls due, keys only. */
export const BY_DUE = 'byDue';
