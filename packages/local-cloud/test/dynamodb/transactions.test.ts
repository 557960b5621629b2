import {
  GetItemCommand,
  TransactGetItemsCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, engineStarters } from './engines.ts';
import { keeps } from './known-differences.ts';
import { createSampleTable, type Item, person, put, rejection } from './sample-table.ts';

describe.each(engineStarters)('transactions on %s', (name, start) => {
  let engine: Engine;
  let table: string;
  let count = 0;
  beforeAll(async () => {
    engine = await start();
    table = await createSampleTable(engine.client);
  });
  afterAll(() => engine.close());

  const promise = (title: string, check: () => Promise<void>) => {
    if (keeps(name, title)) it(title, check);
  };
  const freshPk = () => {
    count += 1;
    return `city-${count}`;
  };
  const transact = (items: TransactWriteItem[], token?: string) =>
    engine.client.send(new TransactWriteItemsCommand({ TransactItems: items, ClientRequestToken: token }));
  const stored = async (key: Item) =>
    (await engine.client.send(new GetItemCommand({ TableName: table, Key: key }))).Item;
  const putting = (item: Item): TransactWriteItem => ({ Put: { TableName: table, Item: item } });
  const counting = (key: Item): TransactWriteItem => ({
    Update: {
      TableName: table,
      Key: key,
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    },
  });

  promise('performs all of 100 actions', async () => {
    const pk = freshPk();
    await put(engine.client, table, person(pk, 1), person(pk, 2));
    await transact([
      { ConditionCheck: { TableName: table, Key: person(pk, 1), ConditionExpression: 'attribute_exists(pk)' } },
      { Delete: { TableName: table, Key: person(pk, 2) } },
      ...Array.from({ length: 98 }, (_, index) => counting(person(pk, index + 3))),
    ]);
    expect(await stored(person(pk, 2))).toBeUndefined();
    expect(await stored(person(pk, 100))).toEqual(person(pk, 100, { n: { N: '1' } }));
  });

  promise('does nothing when one condition fails, and reports which and why', async () => {
    const pk = freshPk();
    await put(engine.client, table, person(pk, 1, { rev: { N: '3' } }));
    const rejected = transact([
      putting(person(pk, 9)),
      {
        Update: {
          TableName: table,
          Key: person(pk, 1),
          UpdateExpression: 'SET rev = :next',
          ConditionExpression: 'rev = :seen',
          ExpressionAttributeValues: { ':next': { N: '9' }, ':seen': { N: '2' } },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      {
        Update: {
          TableName: table,
          Key: person(pk, 2),
          UpdateExpression: 'SET a = nowhere',
        },
      },
    ]);
    await expect(rejected).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      message:
        'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, ValidationError]',
      CancellationReasons: [
        { Code: 'None' },
        {
          Code: 'ConditionalCheckFailed',
          Message: 'The conditional request failed',
          Item: person(pk, 1, { rev: { N: '3' } }),
        },
        {
          Code: 'ValidationError',
          Message: 'The provided expression refers to an attribute that does not exist in the item',
        },
      ],
    });
    expect(await stored(person(pk, 9))).toBeUndefined();
    expect((await stored(person(pk, 1)))?.rev).toEqual({ N: '3' });
  });

  promise('reports a key that does not fit as a cancellation reason', async () => {
    await expect(transact([counting({ pk: { S: 'x' } })])).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ValidationError', Message: 'The provided key element does not match the schema' }],
    });
  });

  promise('runs a request once per token and rejects another request with the same token', async () => {
    const key = person(freshPk(), 1);
    const token = `token-${count}`;
    await transact([counting(key)], token);
    await transact([counting(key)], token);
    expect((await stored(key))?.n).toEqual({ N: '1' });
    await expect(transact([putting(key)], token)).rejects.toMatchObject({
      name: 'IdempotentParameterMismatchException',
    });
    await transact([counting(key)], `${token}-next`);
    expect((await stored(key))?.n).toEqual({ N: '2' });
  });

  promise('rejects two actions on one item and more than 100 actions', async () => {
    const key = person(freshPk(), 1);
    expect(await rejection(transact([putting(key), counting(key)]))).toEqual({
      name: 'ValidationException',
      message: 'Transaction request cannot include multiple operations on one item',
    });
    const many = Array.from({ length: 101 }, (_, index) => putting(person(key.pk?.S as string, index)));
    expect((await rejection(transact(many))).message).toContain('Member must have length less than or equal to 100');
    expect(await stored(key)).toBeUndefined();
  });

  promise('rejects an action with two operations', async () => {
    const key = person(freshPk(), 1);
    expect(await rejection(transact([{ ...putting(key), ...counting(key) }]))).toEqual({
      name: 'ValidationException',
      message: 'TransactItems can only contain one of Check, Put, Update or Delete',
    });
  });

  promise('reads many items at one moment, in the requested order', async () => {
    const pk = freshPk();
    await put(engine.client, table, person(pk, 1, { v: { S: 'a' } }), person(pk, 3, { v: { S: 'c' } }));
    const reply = await engine.client.send(
      new TransactGetItemsCommand({
        TransactItems: [3, 2, 1].map((sk) => ({ Get: { TableName: table, Key: person(pk, sk) } })),
      }),
    );
    expect(reply.Responses?.map(({ Item }) => Item?.v?.S)).toEqual(['c', undefined, 'a']);
  });

  promise('returns only the requested attributes of a transactional read', async () => {
    const pk = freshPk();
    await put(engine.client, table, person(pk, 1, { v: { S: 'a' }, w: { S: 'b' } }));
    const reply = await engine.client.send(
      new TransactGetItemsCommand({
        TransactItems: [{ Get: { TableName: table, Key: person(pk, 1), ProjectionExpression: 'v' } }],
      }),
    );
    expect(reply.Responses).toEqual([{ Item: { v: { S: 'a' } } }]);
  });

  promise('counts every one of many increments on one item', async () => {
    const pk = freshPk();
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => transact([counting(person(pk, 0)), putting(person(pk, index + 1))])),
    );
    expect((await stored(person(pk, 0)))?.n).toEqual({ N: '30' });
  });
});
