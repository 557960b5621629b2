import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { assertNotRehearsed } from './rehearsal.ts';
import { serviceClock } from './service-clock.ts';

/** The table and its client. Repositories write commands for it; keys come from `keys.ts`. */
export interface Table {
  readonly name: string;
  readonly db: DynamoDBDocumentClient;
  /** The time that all users of the table share. */
  now(): Date;
}

/** Large numbers are read as the doubles that were stored, and not as bigints, which JSON cannot hold. */
const NUMBERS = { wrapNumbers: Number };

/** An item outside of the document client: of a stream record, or of a failed condition. */
export const fromAttributes = (item: Record<string, AttributeValue>): Record<string, unknown> =>
  unmarshall(item, NUMBERS);

export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export function openTable(name: string, client = new DynamoDBClient({}), ownMs = Date.now): Table {
  // It copies every input and output for a log that is turned off, which takes a quarter of a call's processor time.
  client.middlewareStack.remove('loggerMiddleware');
  // It composes the name of the client anew for each call, a fifth of the rest. DynamoDB does not need the name.
  client.middlewareStack.remove('getUserAgentMiddleware');
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        assertNotRehearsed(commandName);
        return next(args);
      },
    { step: 'initialize', name: 'assertNotRehearsed', override: true },
  );
  return {
    name,
    now: serviceClock(client, ownMs),
    db: DynamoDBDocumentClient.from(client, {
      // A map with a member named `constructor`, which authors may choose, looks like a class instance. Numbers are
      // those of JSON: also doubles beyond 2^53, which the table stores and returns exactly.
      marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true, allowImpreciseNumbers: true },
      // The client adds members of its own.
      unmarshallOptions: { ...NUMBERS },
    }),
  };
}

/** A sparse, keys-only index of the items with `collection` and `position`: lists in order. */
export const BY_COLLECTION = 'byCollection';

/** A sparse, keys-only index of the items with `due` and `dueAt`: work by due time. */
export const BY_DUE = 'byDue';
