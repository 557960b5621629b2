import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, engineStarters } from './engines.ts';
import { keeps } from './known-differences.ts';
import { createSampleTable, type Item, person, put, rejection } from './sample-table.ts';

describe.each(engineStarters)('items on %s', (name, start) => {
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
  const stored = async (key: Item) =>
    (await engine.client.send(new GetItemCommand({ TableName: table, Key: key, ConsistentRead: true }))).Item;
  /** A key that no other test has. */
  const freshKey = () => {
    count += 1;
    return person(`city-${count}`, 1);
  };
  const update = (key: Item, input: Partial<UpdateItemCommandInput>) =>
    engine.client.send(new UpdateItemCommand({ TableName: table, Key: key, ...input }));
  const putting = (item: Item) => engine.client.send(new PutItemCommand({ TableName: table, Item: item }));

  promise('returns what was put, with numbers in canonical form', async () => {
    const key = freshKey();
    await putting({
      ...key,
      text: { S: 'Zoë 😀' },
      numbers: { NS: ['1.50', '-0', '1e3'] },
      bytes: { B: Buffer.from([0, 255, 1]) },
      list: { L: [{ NULL: true }, { BOOL: false }, { M: { deep: { N: '0.00010' } } }] },
      tiny: { N: '1e-130' },
      long: { N: '12345678901234567890.123456789012345678' },
    });
    const item = await stored(key);
    expect(item).toMatchObject({
      text: { S: 'Zoë 😀' },
      list: { L: [{ NULL: true }, { BOOL: false }, { M: { deep: { N: '0.0001' } } }] },
      tiny: { N: `0.${'0'.repeat(129)}1` },
      long: { N: '12345678901234567890.123456789012345678' },
    });
    expect([...(item?.numbers?.NS ?? [])].sort()).toEqual(['0', '1.5', '1000']);
    expect(Buffer.from(item?.bytes?.B as Uint8Array)).toEqual(Buffer.from([0, 255, 1]));
  });

  it.each([
    ['1e126', 'Number overflow. Attempting to store a number with magnitude larger than supported range'],
    ['1e-131', 'Number underflow. Attempting to store a number with magnitude smaller than supported range'],
    ['1234567890123456789012345678901234567891', 'Attempting to store more than 38 significant digits in a Number'],
    ['twelve', 'The parameter cannot be converted to a numeric value: twelve'],
    [' 1', 'The parameter cannot be converted to a numeric value:  1'],
  ])('rejects the number %s', async (number, message) => {
    const key = freshKey();
    expect(await rejection(putting({ ...key, n: { N: number } }))).toEqual({ name: 'ValidationException', message });
    expect(await stored(key)).toBeUndefined();
  });

  it.each([
    ['an empty set', { SS: [] }, 'One or more parameter values were invalid: An string set  may not be empty'],
    [
      'a set with duplicates',
      { SS: ['a', 'a'] },
      'One or more parameter values were invalid: Input collection [a, a] contains duplicates.',
    ],
    ['numbers that are equal', { NS: ['1', '1.0'] }, 'Input collection contains duplicates'],
  ])('rejects %s', async (_what, value, message) => {
    expect(await rejection(putting({ ...freshKey(), value: value as Item[string] }))).toEqual({
      name: 'ValidationException',
      message,
    });
  });

  it.each([
    [{ sk: { N: '1' } }, 'One or more parameter values were invalid: Missing the key pk in the item'],
    [
      { pk: { N: '1' }, sk: { N: '1' } },
      'One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N',
    ],
    [
      { pk: { S: '' }, sk: { N: '1' } },
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    ],
    [
      { pk: { S: 'x'.repeat(2049) }, sk: { N: '1' } },
      'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes',
    ],
    [
      { pk: { S: 'x' }, sk: { N: '1' }, team: { N: '1' } },
      'One or more parameter values were invalid: Type mismatch for Index Key team Expected: S Actual: N IndexName: byTeam',
    ],
  ])('rejects an item with an invalid key (%#)', async (item, message) => {
    expect(await rejection(putting(item as Item))).toEqual({ name: 'ValidationException', message });
  });

  promise('holds an item of exactly 400 KB and rejects one byte more', async () => {
    const key = freshKey();
    const pk = key.pk?.S as string;
    // Names and values count: `pk` and its text, `sk` and a one-digit number (2 bytes), `text` and its text.
    const remaining = 400 * 1024 - (2 + pk.length) - (2 + 2) - 4;
    await putting({ ...key, text: { S: 'x'.repeat(remaining) } });
    expect(await rejection(putting({ ...key, text: { S: 'x'.repeat(remaining + 1) } }))).toEqual({
      name: 'ValidationException',
      message: 'Item size has exceeded the maximum allowed size',
    });
    expect((await stored(key))?.text?.S).toHaveLength(remaining);
  });

  promise('returns the old item of a put and of a delete, and nothing where there was none', async () => {
    const key = freshKey();
    const first = await engine.client.send(
      new DeleteItemCommand({ TableName: table, Key: key, ReturnValues: 'ALL_OLD' }),
    );
    expect(first.Attributes).toBeUndefined();
    await putting({ ...key, v: { S: 'one' } });
    const second = await engine.client.send(
      new PutItemCommand({ TableName: table, Item: { ...key, v: { S: 'two' } }, ReturnValues: 'ALL_OLD' }),
    );
    expect(second.Attributes).toEqual({ ...key, v: { S: 'one' } });
    const third = await engine.client.send(
      new DeleteItemCommand({ TableName: table, Key: key, ReturnValues: 'ALL_OLD' }),
    );
    expect(third.Attributes).toEqual({ ...key, v: { S: 'two' } });
    expect(await stored(key)).toBeUndefined();
  });

  promise('creates an item with an update without actions', async () => {
    const key = freshKey();
    expect((await update(key, { ReturnValues: 'ALL_NEW' })).Attributes).toEqual(key);
    expect(await stored(key)).toEqual(key);
  });

  promise('computes every value from the item before the update', async () => {
    const key = freshKey();
    await putting({ ...key, a: { N: '1' }, b: { N: '10' } });
    const { Attributes } = await update(key, {
      UpdateExpression: 'SET a = b, b = a + :one, c = if_not_exists(c, :zero) - :one',
      ExpressionAttributeValues: { ':one': { N: '1' }, ':zero': { N: '0' } },
      ReturnValues: 'ALL_NEW',
    });
    expect(Attributes).toEqual({ ...key, a: { N: '10' }, b: { N: '2' }, c: { N: '-1' } });
  });

  promise('adds exactly where doubles would not', async () => {
    const key = freshKey();
    await putting({ ...key, n: { N: '9999999999999999999999999999999999999' } });
    const { Attributes } = await update(key, {
      UpdateExpression: 'ADD n :n SET f = :a + :b',
      ExpressionAttributeValues: { ':n': { N: '1' }, ':a': { N: '0.1' }, ':b': { N: '0.2' } },
      ReturnValues: 'ALL_NEW',
    });
    expect(Attributes).toMatchObject({ n: { N: `1${'0'.repeat(37)}` }, f: { N: '0.3' } });
  });

  promise('removes list elements by their original positions', async () => {
    const key = freshKey();
    await putting({ ...key, l: { L: ['a', 'b', 'c', 'd'].map((S) => ({ S })) } });
    await update(key, { UpdateExpression: 'REMOVE l[0], l[2]' });
    expect((await stored(key))?.l).toEqual({ L: [{ S: 'b' }, { S: 'd' }] });
  });

  promise('appends when a list index is beyond the end', async () => {
    const key = freshKey();
    await putting({ ...key, l: { L: [{ S: 'a' }] } });
    await update(key, {
      UpdateExpression: 'SET l[9] = :z, l[7] = :y',
      ExpressionAttributeValues: { ':y': { S: 'y' }, ':z': { S: 'z' } },
    });
    expect((await stored(key))?.l).toEqual({ L: [{ S: 'a' }, { S: 'y' }, { S: 'z' }] });
  });

  promise('joins lists, adds to and removes from sets, and drops an empty set', async () => {
    const key = freshKey();
    await putting({ ...key, l: { L: [{ N: '1' }] }, s: { SS: ['a', 'b'] }, t: { NS: ['1'] } });
    await update(key, {
      UpdateExpression: 'SET l = list_append(:l, l) ADD s :more, fresh :more DELETE t :gone',
      ExpressionAttributeValues: {
        ':l': { L: [{ N: '0' }] },
        ':more': { SS: ['b', 'c'] },
        ':gone': { NS: ['1', '2'] },
      },
    });
    const item = await stored(key);
    expect(item).toMatchObject({ l: { L: [{ N: '0' }, { N: '1' }] } });
    expect([...(item?.s?.SS ?? [])].sort()).toEqual(['a', 'b', 'c']);
    expect([...(item?.fresh?.SS ?? [])].sort()).toEqual(['b', 'c']);
    expect(item).not.toHaveProperty('t');
  });

  promise('returns the attributes that an update touched, before and after', async () => {
    const key = freshKey();
    await putting({ ...key, m: { M: { a: { N: '1' }, b: { N: '2' } } }, gone: { S: 'x' } });
    const change = {
      UpdateExpression: 'SET m.a = m.a + :n, fresh = :n REMOVE gone',
      ExpressionAttributeValues: { ':n': { N: '1' } },
    };
    const before = await update(key, { ...change, ReturnValues: 'UPDATED_OLD' });
    expect(before.Attributes).toEqual({ m: { M: { a: { N: '1' } } }, gone: { S: 'x' } });
    const after = await update(key, { ...change, ReturnValues: 'UPDATED_NEW' });
    expect(after.Attributes).toEqual({ m: { M: { a: { N: '3' } } }, fresh: { N: '1' } });
  });

  promise('returns only the changed element of a list for UPDATED_NEW', async () => {
    const key = freshKey();
    await putting({ ...key, l: { L: [{ N: '1' }, { N: '2' }] } });
    const reply = await update(key, {
      UpdateExpression: 'SET l[1] = :n',
      ExpressionAttributeValues: { ':n': { N: '9' } },
      ReturnValues: 'UPDATED_NEW',
    });
    expect(reply.Attributes).toEqual({ l: { L: [{ N: '9' }] } });
  });

  promise('changes nothing when an update fails', async () => {
    const key = freshKey();
    const item = { ...key, s: { S: 'text' }, team: { S: 'red' }, age: { N: '5' } };
    await putting(item);
    for (const [expression, message] of [
      ['SET x = nowhere', 'The provided expression refers to an attribute that does not exist in the item'],
      ['SET x = :n, s.y = :n', 'The document path provided in the update expression is invalid for update'],
      ['ADD s :n', 'An operand in the update expression has an incorrect data type'],
      [
        'SET pk = :n',
        'One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key',
      ],
      [
        'SET team = :n',
        'One or more parameter values were invalid: Type mismatch for Index Key team Expected: S Actual: N IndexName: byTeam',
      ],
    ] as const) {
      const rejected = update(key, {
        UpdateExpression: expression,
        ...(expression.includes(':n') ? { ExpressionAttributeValues: { ':n': { N: '1' } } } : {}),
      });
      expect(await rejection(rejected)).toEqual({ name: 'ValidationException', message });
    }
    expect(await stored(key)).toEqual(item);
  });

  promise('rejects removal below a missing attribute', async () => {
    const key = freshKey();
    expect(await rejection(update(key, { UpdateExpression: 'REMOVE a.b' }))).toEqual({
      name: 'ValidationException',
      message: 'The document path provided in the update expression is invalid for update',
    });
  });

  promise('keeps the item when a condition fails and shows it on request', async () => {
    const key = freshKey();
    await putting({ ...key, rev: { N: '7' } });
    const rejected = engine.client.send(
      new PutItemCommand({
        TableName: table,
        Item: { ...key, rev: { N: '8' } },
        ConditionExpression: 'rev = :seen',
        ExpressionAttributeValues: { ':seen': { N: '6' } },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    await expect(rejected).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'The conditional request failed',
      Item: { ...key, rev: { N: '7' } },
    });
    expect((await stored(key))?.rev).toEqual({ N: '7' });
  });

  promise('lets exactly one of many writers with the same condition win', async () => {
    const key = freshKey();
    await putting({ ...key, rev: { N: '0' } });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, writer) =>
        update(key, {
          UpdateExpression: 'SET rev = rev + :one, writer = :writer',
          ConditionExpression: 'rev = :zero',
          ExpressionAttributeValues: { ':one': { N: '1' }, ':zero': { N: '0' }, ':writer': { N: String(writer) } },
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await stored(key))?.rev).toEqual({ N: '1' });
  });

  promise('reads and writes batches, and rejects too large or ambiguous ones', async () => {
    const key = freshKey();
    const pk = key.pk?.S as string;
    const items = Array.from({ length: 25 }, (_, index) => person(pk, index, { v: { N: String(index) } }));
    const written = await engine.client.send(
      new BatchWriteItemCommand({ RequestItems: { [table]: items.map((Item) => ({ PutRequest: { Item } })) } }),
    );
    expect(written.UnprocessedItems).toEqual({});
    const read = await engine.client.send(
      new BatchGetItemCommand({
        RequestItems: { [table]: { Keys: [person(pk, 3), person(pk, 4), person(pk, 99)], ProjectionExpression: 'v' } },
      }),
    );
    expect(read.Responses?.[table]?.map(({ v }) => v?.N).sort()).toEqual(['3', '4']);
    expect(read.UnprocessedKeys).toEqual({});
    expect(
      await rejection(
        engine.client.send(
          new BatchGetItemCommand({ RequestItems: { [table]: { Keys: [person(pk, 3), person(pk, 3)] } } }),
        ),
      ),
    ).toEqual({ name: 'ValidationException', message: 'Provided list of item keys contains duplicates' });
  });

  promise('returns the keys beyond 16 MB as unprocessed', async () => {
    const pk = freshKey().pk?.S as string;
    const text = { S: 'x'.repeat(390_000) };
    const keys = Array.from({ length: 44 }, (_, index) => person(pk, index));
    await put(engine.client, table, ...keys.map((key) => ({ ...key, text })));
    const reply = await engine.client.send(new BatchGetItemCommand({ RequestItems: { [table]: { Keys: keys } } }));
    const returned = reply.Responses?.[table]?.length ?? 0;
    expect(returned).toBe(43);
    expect(reply.UnprocessedKeys?.[table]?.Keys).toHaveLength(44 - returned);
  });
});
