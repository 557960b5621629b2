import {
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, engineStarters } from './engines.ts';
import { keeps } from './known-differences.ts';
import { createSampleTable, type Item, person, put, rejection } from './sample-table.ts';

/** Sort keys with different orders as numbers, texts and doubles. */
const numbers = ['-100', '-20.5', '-3', '0', '0.001', '5', '10', '10.00000000000000000000000000000000001', '200'];

describe.each(engineStarters)('queries on %s', (name, start) => {
  let engine: Engine;
  let table: string;
  beforeAll(async () => {
    engine = await start();
    table = await createSampleTable(engine.client);
    const shuffled = [...numbers].sort();
    for (const [index, sk] of shuffled.entries()) {
      await put(engine.client, table, {
        pk: { S: 'Oslo' },
        sk: { N: sk },
        // Two of the nine have no team and are not in the index.
        ...(index < 7 ? { team: { S: 'red' }, age: { N: String(30 + (index % 2)) } } : {}),
        label: { S: `label ${index}` },
        secret: { S: 'h' },
      });
    }
    await put(engine.client, table, person('Rome', 1), person('Rom', 1), person('Romeo', 1));
  });
  afterAll(() => engine.close());

  const promise = (title: string, check: () => Promise<void>) => {
    if (keeps(name, title)) it(title, check);
  };
  const query = (input: Partial<QueryCommandInput>) =>
    engine.client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk',
        ...input,
        ExpressionAttributeValues: { ':pk': { S: 'Oslo' }, ...input.ExpressionAttributeValues },
      }),
    );
  const scan = (input: Partial<ScanCommandInput> = {}) =>
    engine.client.send(new ScanCommand({ TableName: table, ...input }));
  const sortKeys = (items: Item[] | undefined) => items?.map(({ sk }) => sk?.N);

  promise('returns a partition in order of its numbers, both ways', async () => {
    expect(sortKeys((await query({})).Items)).toEqual(numbers);
    expect(sortKeys((await query({ ScanIndexForward: false })).Items)).toEqual([...numbers].reverse());
  });

  it.each([
    ['sk = :a', ['5'], { ':a': { N: '5.0' } }],
    ['sk < :a', ['-100', '-20.5', '-3'], { ':a': { N: '0' } }],
    ['sk <= :a', ['-100', '-20.5', '-3', '0'], { ':a': { N: '0' } }],
    ['sk > :a', ['10.00000000000000000000000000000000001', '200'], { ':a': { N: '10' } }],
    ['sk >= :a', ['10', '10.00000000000000000000000000000000001', '200'], { ':a': { N: '10' } }],
    ['sk BETWEEN :a AND :b', ['-3', '0', '0.001', '5'], { ':a': { N: '-5' }, ':b': { N: '9' } }],
  ])('reads the range %s', async (range, expected, values) => {
    const reply = await query({ KeyConditionExpression: `pk = :pk AND ${range}`, ExpressionAttributeValues: values });
    expect(sortKeys(reply.Items)).toEqual(expected);
  });

  promise('accepts the conditions of a key in either order', async () => {
    const reply = await query({
      KeyConditionExpression: ':a < sk AND (pk = :pk)',
      ExpressionAttributeValues: { ':a': { N: '100' } },
    });
    expect(sortKeys(reply.Items)).toEqual(['200']);
  });

  promise('follows pages to the end without losing or repeating anything', async () => {
    for (const forward of [true, false]) {
      const seen: (string | undefined)[] = [];
      let start: Item | undefined;
      let pages = 0;
      do {
        const page = await query({ Limit: 2, ExclusiveStartKey: start, ScanIndexForward: forward });
        seen.push(...(sortKeys(page.Items) ?? []));
        start = page.LastEvaluatedKey;
        pages += 1;
      } while (start);
      expect(seen).toEqual(forward ? numbers : [...numbers].reverse());
      expect(pages).toBe(5);
    }
  });

  promise('returns a start key when the limit is reached exactly at the end', async () => {
    const last = await query({ Limit: numbers.length });
    expect(last.LastEvaluatedKey).toEqual({ pk: { S: 'Oslo' }, sk: { N: '200' } });
    expect((await query({ ExclusiveStartKey: last.LastEvaluatedKey })).Items).toEqual([]);
  });

  promise('filters after the limit, and returns both counts', async () => {
    const reply = await query({
      Limit: 4,
      FilterExpression: 'label = :label',
      ExpressionAttributeValues: { ':label': { S: 'label 3' } },
    });
    expect(reply).toMatchObject({ Count: (reply.Items ?? []).length, ScannedCount: 4 });
    const count = await query({ Select: 'COUNT' });
    expect(count).toMatchObject({ Count: 9, ScannedCount: 9 });
    expect(count.Items).toBeUndefined();
  });

  promise('ends a page at 1 MB', async () => {
    const text = { S: 'x'.repeat(300_000) };
    await put(engine.client, table, ...[1, 2, 3, 4, 5].map((sk) => person('Lima', sk, { text })));
    const first = await query({ ExpressionAttributeValues: { ':pk': { S: 'Lima' } }, ProjectionExpression: 'sk' });
    expect(sortKeys(first.Items)).toEqual(['1', '2', '3']);
    const second = await query({
      ExpressionAttributeValues: { ':pk': { S: 'Lima' } },
      ProjectionExpression: 'sk',
      ExclusiveStartKey: first.LastEvaluatedKey,
    });
    expect(sortKeys(second.Items)).toEqual(['4', '5']);
    expect(second.LastEvaluatedKey).toBeUndefined();
  });

  promise('rejects a projection or a filter with what a global index does not hold', async () => {
    const read = (input: Partial<QueryCommandInput>) =>
      engine.client.send(
        new QueryCommand({
          TableName: table,
          IndexName: 'byTeam',
          KeyConditionExpression: 'team = :team',
          ExpressionAttributeValues: { ':team': { S: 'red' } },
          ...input,
        }),
      );
    const messageOf = async (work: Promise<unknown>) => (await rejection(work)).message;
    const invalid = 'One or more parameter values were invalid: ';
    expect(await messageOf(read({ ProjectionExpression: 'label, secret, pk' }))).toBe(
      `${invalid}Global secondary index byTeam does not project [secret]`,
    );
    expect(await messageOf(read({ FilterExpression: 'attribute_exists(secret)' }))).toBe(
      `${invalid}Secondary index byTeam does not project one or more filter attributes: [secret]`,
    );
    const held = await read({ ProjectionExpression: 'label, sk', FilterExpression: 'attribute_exists(label)' });
    expect(held.Count).toBe(7);
    expect(
      await messageOf(scan({ IndexName: 'byTeam', FilterExpression: 'attribute_not_exists(secret.part)' })),
    ).toContain('filter attributes: [secret]');
  });

  promise("finds only items with an index's keys, with the projected attributes", async () => {
    const reply = await query({
      IndexName: 'byTeam',
      KeyConditionExpression: 'team = :team',
      ExpressionAttributeValues: { ':team': { S: 'red' } },
      FilterExpression: 'attribute_exists(pk) AND NOT pk = :pk OR pk = :pk',
    });
    expect(reply.Count).toBe(7);
    expect(Object.keys(reply.Items?.[0] ?? {}).sort()).toEqual(['age', 'label', 'pk', 'sk', 'team']);
    expect(reply.Items?.map(({ age }) => age?.N)).toEqual(['30', '30', '30', '30', '31', '31', '31']);
  });

  promise('pages through equal index keys', async () => {
    const seen = new Set<string | undefined>();
    let start: Item | undefined;
    do {
      const page = await engine.client.send(
        new QueryCommand({
          TableName: table,
          IndexName: 'byTeam',
          KeyConditionExpression: 'team = :team AND age = :age',
          ExpressionAttributeValues: { ':team': { S: 'red' }, ':age': { N: '30' } },
          Limit: 1,
          ExclusiveStartKey: start,
        }),
      );
      for (const { sk } of page.Items ?? []) seen.add(sk?.N);
      start = page.LastEvaluatedKey;
    } while (start);
    expect(seen.size).toBe(4);
  });

  promise('moves an item between index partitions with its attribute, and out when that is removed', async () => {
    const key = person('Kyiv', 1);
    const inTeam = async (team: string) =>
      (
        await engine.client.send(
          new QueryCommand({
            TableName: table,
            IndexName: 'byTeam',
            KeyConditionExpression: 'team = :team',
            ExpressionAttributeValues: { ':team': { S: team } },
          }),
        )
      ).Count;
    await put(engine.client, table, { ...key, team: { S: 'blue' }, age: { N: '1' } });
    await put(engine.client, table, { ...key, team: { S: 'green' }, age: { N: '1' } });
    expect([await inTeam('blue'), await inTeam('green')]).toEqual([0, 1]);
    await engine.client.send(new UpdateItemCommand({ TableName: table, Key: key, UpdateExpression: 'REMOVE age' }));
    expect(await inTeam('green')).toBe(0);
  });

  promise('reads attributes outside a local index from the table', async () => {
    const reply = await query({ IndexName: 'byAge', ProjectionExpression: 'secret', Limit: 2 });
    expect(reply.Items).toEqual([{ secret: { S: 'h' } }, { secret: { S: 'h' } }]);
  });

  it.each([
    [{ KeyConditionExpression: 'pk = :pk AND label = :pk' }, 'Query condition missed key schema element: sk'],
    [
      { FilterExpression: 'sk > :a', ExpressionAttributeValues: { ':a': { N: '1' } } },
      'Filter Expression can only contain non-primary key attributes: Primary key attribute: sk',
    ],
    [{ IndexName: 'byNothing' }, 'The table does not have the specified index: byNothing'],
    [
      {
        IndexName: 'byTeam',
        KeyConditionExpression: 'team = :pk',
        ConsistentRead: true,
      },
      'Consistent reads are not supported on global secondary indexes',
    ],
    [
      { IndexName: 'byTeam', KeyConditionExpression: 'team = :pk', Select: 'ALL_ATTRIBUTES' as const },
      'One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index byTeam because its projection type is not ALL',
    ],
    [{ ExclusiveStartKey: { pk: { S: 'Oslo' } } }, 'The provided starting key is invalid'],
    [
      { Select: 'SPECIFIC_ATTRIBUTES' as const },
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    ],
  ])('rejects an invalid query (%#)', async (input, message) => {
    expect(await rejection(query(input as Partial<QueryCommandInput>))).toEqual({
      name: 'ValidationException',
      message,
    });
  });

  promise('rejects a range of partitions', async () => {
    expect(await rejection(query({ KeyConditionExpression: 'pk > :pk' }))).toEqual({
      name: 'ValidationException',
      message: 'Query key condition not supported',
    });
  });

  promise('rejects a start key outside the queried partition', async () => {
    expect(await rejection(query({ ExclusiveStartKey: person('Rome', 1) }))).toEqual({
      name: 'ValidationException',
      message: 'The provided starting key is outside query boundaries based on provided conditions',
    });
  });

  promise('rejects a key condition of the wrong type', async () => {
    expect(await rejection(query({ ExpressionAttributeValues: { ':pk': { N: '1' } } }))).toEqual({
      name: 'ValidationException',
      message: 'One or more parameter values were invalid: Condition parameter type does not match schema type',
    });
  });

  promise('scans everything once, in pages and in segments', async () => {
    const seen = new Set<string>();
    const walk = async (segment?: Partial<ScanCommandInput>) => {
      let start: Item | undefined;
      do {
        const page = await scan({ Limit: 3, ProjectionExpression: 'pk, sk', ...segment, ExclusiveStartKey: start });
        for (const { pk, sk } of page.Items ?? []) {
          const id = `${pk?.S}/${sk?.N}`;
          expect(seen).not.toContain(id);
          seen.add(id);
        }
        start = page.LastEvaluatedKey;
      } while (start);
    };
    await walk();
    const once = new Set(seen);
    // Nine in Oslo, five in Lima, one each in Rom, Rome, Romeo and Kyiv.
    expect(once.size).toBe(18);
    seen.clear();
    for (const Segment of [0, 1, 2, 3]) await walk({ Segment, TotalSegments: 4 });
    expect(seen).toEqual(once);
  });

  promise('scans an index', async () => {
    const reply = await scan({ IndexName: 'byTeam' });
    expect(reply.Items?.filter(({ team }) => team?.S === 'red')).toHaveLength(7);
  });
});
