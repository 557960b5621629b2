import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { serviceClock } from './service-clock.ts';

/** The table and its client. Repositories write commands for it; keys come from `keys.ts`. */
export interface Table {
  readonly name: string;
  readonly db: DynamoDBDocumentClient;
  /** The time that all users of the table share. */
  now(): Date;
}

export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export function openTable(name: string, client = new DynamoDBClient({}), ownMs = Date.now): Table {
  // It copies every input and output for a log that is turned off, which takes a quarter of a call's processor time.
  client.middlewareStack.remove('loggerMiddleware');
  return {
    name,
    now: serviceClock(client, ownMs),
    db: DynamoDBDocumentClient.from(client, {
      // A map with a member named `constructor`, which authors may choose, looks like a class instance.
      marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
    }),
  };
}

/** A sparse, keys-only index of the items with `collection` and `position`: lists in order. */
export const BY_COLLECTION = 'byCollection';

/** A sparse, keys-only index of the items with `due` and `dueAt`: work by due time. */
export const BY_DUE = 'byDue';
