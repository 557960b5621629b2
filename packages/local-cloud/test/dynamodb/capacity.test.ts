import {
  BatchWriteItemCommand,
  type ConsumedCapacity,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, engineStarters } from './engines.ts';
import { keeps } from './known-differences.ts';
import { startDynamoDb } from './local-dynamodb.ts';
import { createSampleTable, type Item, person, put, rejection } from './sample-table.ts';

const text = (bytes: number) => ({ text: { S: 'x'.repeat(bytes) } });
const INDEXES = { ReturnConsumedCapacity: 'INDEXES' as const };

/** Table, index by team, index by age; undefined where nothing was consumed. */
function units(capacity: ConsumedCapacity | undefined): (number | undefined)[] {
  return [
    capacity?.Table?.CapacityUnits,
    capacity?.GlobalSecondaryIndexes?.byTeam?.CapacityUnits,
    capacity?.LocalSecondaryIndexes?.byAge?.CapacityUnits,
  ];
}

describe.each(engineStarters)('consumed capacity on %s', (name, start) => {
  let engine: Engine;
  let table: string;
  beforeAll(async () => {
    engine = await start();
    table = await createSampleTable(engine.client);
  });
  afterAll(() => engine.close());

  const promise = (title: string, check: () => Promise<void>) => {
    if (keeps(name, title)) it(title, check);
  };
  const putting = async (Item: Item) =>
    (await engine.client.send(new PutItemCommand({ TableName: table, Item, ...INDEXES }))).ConsumedCapacity;

  promise('a write consumes one unit per KB of the larger of old and new item', async () => {
    const key = person('write', 1);
    expect(units(await putting({ ...key, ...text(100) }))).toEqual([1, undefined, undefined]);
    expect(units(await putting({ ...key, ...text(2500) }))).toEqual([3, undefined, undefined]);
    expect(units(await putting({ ...key, ...text(10) }))).toEqual([3, undefined, undefined]);
    const deletion = await engine.client.send(new DeleteItemCommand({ TableName: table, Key: key, ...INDEXES }));
    expect(units(deletion.ConsumedCapacity)).toEqual([1, undefined, undefined]);
    const nothing = await engine.client.send(new DeleteItemCommand({ TableName: table, Key: key, ...INDEXES }));
    expect(units(nothing.ConsumedCapacity)).toEqual([1, undefined, undefined]);
  });

  promise('an index consumes a unit where its entry appears, changes or goes, and two where it moves', async () => {
    const key = person('index', 1);
    const inTeam = (team: string) => ({ team: { S: team }, age: { N: '4' } });
    expect(units(await putting({ ...key, ...inTeam('a'), other: { S: '1' } }))).toEqual([1, 1, 1]);
    expect(units(await putting({ ...key, ...inTeam('a'), other: { S: '2' } }))).toEqual([1, undefined, undefined]);
    expect(units(await putting({ ...key, ...inTeam('a'), label: { S: 'x' } }))).toEqual([1, 1, undefined]);
    expect(units(await putting({ ...key, ...inTeam('b') }))).toEqual([1, 2, undefined]);
    expect(units(await putting(key))).toEqual([1, 1, 1]);
  });

  promise('a read consumes half a unit per 4 KB, a strongly consistent one a whole unit', async () => {
    await put(engine.client, table, person('read', 1, text(5000)));
    const get = async (sk: number, ConsistentRead: boolean) =>
      units(
        (
          await engine.client.send(
            new GetItemCommand({ TableName: table, Key: person('read', sk), ConsistentRead, ...INDEXES }),
          )
        ).ConsumedCapacity,
      )[0];
    expect([await get(1, false), await get(1, true), await get(2, false), await get(2, true)]).toEqual([1, 2, 0.5, 1]);
  });

  promise('a query consumes units for the sum of the items read, before filter and projection', async () => {
    await put(engine.client, table, ...[1, 2, 3, 4, 5].map((sk) => person('query', sk, text(2000))));
    const reply = await engine.client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk',
        FilterExpression: 'attribute_exists(label)',
        ProjectionExpression: 'label',
        ExpressionAttributeValues: { ':pk': { S: 'query' } },
        ConsistentRead: true,
        ...INDEXES,
      }),
    );
    // 5 × about 2,020 bytes are three times 4 KB; each alone would have been a unit.
    expect([reply.Count, reply.ScannedCount, units(reply.ConsumedCapacity)[0]]).toEqual([0, 5, 3]);
  });

  promise("a transaction consumes a table's units twice and an index's once", async () => {
    const items = [
      person('transaction', 1, { ...text(1500), team: { S: 'a' }, age: { N: '1' } }),
      person('transaction', 2),
    ];
    const written = await engine.client.send(
      new TransactWriteItemsCommand({
        TransactItems: items.map((Item) => ({ Put: { TableName: table, Item } })),
        ...INDEXES,
      }),
    );
    const [capacity] = written.ConsumedCapacity ?? [];
    expect(units(capacity)).toEqual([6, 1, 1]);
    expect([capacity?.CapacityUnits, capacity?.WriteCapacityUnits]).toEqual([8, 8]);
    const read = await engine.client.send(
      new TransactGetItemsCommand({
        TransactItems: [1, 2, 3].map((sk) => ({ Get: { TableName: table, Key: person('transaction', sk) } })),
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
    expect(read.ConsumedCapacity?.[0]).toMatchObject({ CapacityUnits: 6, ReadCapacityUnits: 6 });
  });

  promise('a repeated transaction consumes the units of reading its items', async () => {
    const request = {
      TransactItems: [{ Put: { TableName: table, Item: person('replay', 1, text(1500)) } }],
      ClientRequestToken: 'replay',
      ReturnConsumedCapacity: 'TOTAL' as const,
    };
    const first = await engine.client.send(new TransactWriteItemsCommand(request));
    const second = await engine.client.send(new TransactWriteItemsCommand(request));
    expect(first.ConsumedCapacity?.[0]).toMatchObject({ CapacityUnits: 4, WriteCapacityUnits: 4 });
    expect(second.ConsumedCapacity?.[0]).toMatchObject({ CapacityUnits: 2, ReadCapacityUnits: 2 });
  });

  promise('a batch consumes the same units as its parts', async () => {
    const reply = await engine.client.send(
      new BatchWriteItemCommand({
        RequestItems: {
          [table]: [
            { PutRequest: { Item: person('batch', 1, text(1500)) } },
            { DeleteRequest: { Key: person('batch', 2) } },
          ],
        },
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
    expect(reply.ConsumedCapacity).toEqual([{ TableName: table, CapacityUnits: 3 }]);
  });
});

describe('the running totals', () => {
  it('count every request, including failed conditions, whether or not it asks for its consumption', async () => {
    const db = await startDynamoDb();
    try {
      const table = await createSampleTable(db.client);
      expect(db.service.capacity()).toEqual({});
      await put(db.client, table, person('a', 1, text(1500)));
      await db.client.send(new GetItemCommand({ TableName: table, Key: person('a', 1) }));
      await rejection(
        db.client.send(
          new UpdateItemCommand({
            TableName: table,
            Key: person('a', 1),
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      );
      await rejection(
        db.client.send(
          new TransactWriteItemsCommand({
            TransactItems: [
              { Put: { TableName: table, Item: person('b', 1) } },
              {
                ConditionCheck: { TableName: table, Key: person('a', 2), ConditionExpression: 'attribute_exists(pk)' },
              },
            ],
          }),
        ),
      );
      expect(db.service.capacity()).toEqual({ [table]: { read: 0.5, write: 2 + 2 + (2 + 2) } });
    } finally {
      await db.close();
    }
  });
});
