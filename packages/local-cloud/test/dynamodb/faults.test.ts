import {
  BatchWriteItemCommand,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FaultRule } from '../../core/faults.ts';
import { type LocalDynamoDb, startDynamoDb } from './local-dynamodb.ts';
import { createSampleTable, person } from './sample-table.ts';

describe('the fault switch', () => {
  let db: LocalDynamoDb;
  let table: string;
  beforeAll(async () => {
    db = await startDynamoDb();
    table = await createSampleTable(db.client);
  });
  beforeEach(() => db.faults.replace([]));
  afterAll(() => db.close());

  const strike = (effect: FaultRule['effect'], operation: string, more: Partial<FaultRule> = {}) =>
    db.faults.replace([{ service: 'dynamodb', effect, operation, resource: table, times: 1, ...more }]);
  const putting = (sk: number, ConditionExpression?: string) =>
    db.client.send(new PutItemCommand({ TableName: table, Item: person('Oslo', sk), ConditionExpression }));
  const exists = async (sk: number) =>
    (await db.client.send(new GetItemCommand({ TableName: table, Key: person('Oslo', sk) }))).Item !== undefined;

  it('throttles an on-demand table once, without a change', async () => {
    strike('throttle', 'PutItem');
    await expect(putting(1)).rejects.toMatchObject({ name: 'ThrottlingException' });
    expect(await exists(1)).toBe(false);
    await putting(1);
    expect(await exists(1)).toBe(true);
  });

  it("throttles a provisioned table with that mode's error", async () => {
    const throughput = { ReadCapacityUnits: 1, WriteCapacityUnits: 1 };
    const provisioned = await createSampleTable(db.client, {
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: throughput,
      GlobalSecondaryIndexes: undefined,
      LocalSecondaryIndexes: undefined,
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'N' },
      ],
    });
    strike('throttle', 'GetItem', { resource: provisioned });
    await expect(
      db.client.send(new GetItemCommand({ TableName: provisioned, Key: person('Oslo', 1) })),
    ).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
  });

  it('returns part of a batch as unprocessed under throttling', async () => {
    strike('throttle', 'BatchWriteItem');
    const reply = await db.client.send(
      new BatchWriteItemCommand({
        RequestItems: { [table]: [20, 21, 22].map((sk) => ({ PutRequest: { Item: person('Oslo', sk) } })) },
      }),
    );
    expect(reply.UnprocessedItems?.[table]?.map(({ PutRequest }) => PutRequest?.Item?.sk?.N)).toEqual(['21', '22']);
    expect([await exists(20), await exists(21)]).toEqual([true, false]);
  });

  it('fails a condition, a single write and a transaction with a conflict', async () => {
    strike('conflict', 'PutItem');
    await expect(putting(30, 'attribute_not_exists(pk)')).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
    });
    strike('conflict', 'PutItem');
    await expect(putting(30)).rejects.toMatchObject({ name: 'TransactionConflictException' });
    strike('conflict', 'TransactWriteItems');
    await expect(
      db.client.send(
        new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName: table, Item: person('Oslo', 30) } }] }),
      ),
    ).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'TransactionConflict' }],
    });
    expect(await exists(30)).toBe(false);
  });

  it('fails without a change, or after the change when the answer is lost', async () => {
    strike('error', 'PutItem');
    await expect(putting(40)).rejects.toMatchObject({
      name: 'InternalServerError',
      $metadata: { httpStatusCode: 500 },
    });
    expect(await exists(40)).toBe(false);
    strike('lostAnswer', 'PutItem');
    await expect(putting(40)).rejects.toMatchObject({ name: 'InternalServerError' });
    expect(await exists(40)).toBe(true);
  });

  it('answers late', async () => {
    strike('delay', 'ListTables', { resource: undefined, delayMs: 60 });
    const began = performance.now();
    await db.client.send(new ListTablesCommand({}));
    expect(performance.now() - began).toBeGreaterThanOrEqual(55);
  });
});
