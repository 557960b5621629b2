import {
  DeleteItemCommand,
  DescribeTableCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
  ListStreamsCommand,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../core/access/principal.ts';
import { ManualClock } from '../../core/clock.ts';
import { type LocalDynamoDb, startDynamoDb } from './local-dynamodb.ts';
import { createSampleTable, person, put, rejection } from './sample-table.ts';

const HOUR = 3_600_000;
let db: LocalDynamoDb;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  db = await startDynamoDb({ clock });
});
afterEach(() => db.close());

async function tableWithStream(StreamViewType: 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES') {
  const table = await createSampleTable(db.client, { StreamSpecification: { StreamEnabled: true, StreamViewType } });
  return { table, arn: await streamOf(table) };
}
async function streamOf(table: string): Promise<string> {
  const { Table } = await db.client.send(new DescribeTableCommand({ TableName: table }));
  return Table?.LatestStreamArn as string;
}
async function iterator(arn: string, input: Partial<GetShardIteratorCommandInput> = {}): Promise<string> {
  const { StreamDescription } = await db.streams.send(new DescribeStreamCommand({ StreamArn: arn }));
  const reply = await db.streams.send(
    new GetShardIteratorCommand({
      StreamArn: arn,
      ShardId: StreamDescription?.Shards?.[0]?.ShardId,
      ShardIteratorType: 'TRIM_HORIZON',
      ...input,
    }),
  );
  return reply.ShardIterator as string;
}
async function records(arn: string, input?: Partial<GetShardIteratorCommandInput>): Promise<StreamRecord[]> {
  const reply = await db.streams.send(new GetRecordsCommand({ ShardIterator: await iterator(arn, input) }));
  return reply.Records as StreamRecord[];
}

describe('a stream', () => {
  it('records inserts, changes and removals, but no write without effect', async () => {
    const { table, arn } = await tableWithStream('NEW_AND_OLD_IMAGES');
    const key = person('Oslo', 1);
    await put(db.client, table, { ...key, n: { N: '1' } });
    await put(db.client, table, { ...key, n: { N: '1.0' } });
    await db.client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: key,
        UpdateExpression: 'SET n = :n',
        ExpressionAttributeValues: { ':n': { N: '2' } },
      }),
    );
    await db.client.send(new DeleteItemCommand({ TableName: table, Key: key }));
    await db.client.send(new DeleteItemCommand({ TableName: table, Key: key }));
    const found = await records(arn);
    expect(
      found.map(({ eventName, dynamodb }) => [eventName, dynamodb?.OldImage?.n?.N, dynamodb?.NewImage?.n?.N]),
    ).toEqual([
      ['INSERT', undefined, '1'],
      ['MODIFY', '1', '2'],
      ['REMOVE', '2', undefined],
    ]);
    expect(found[0]).toMatchObject({
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      dynamodb: {
        Keys: key,
        StreamViewType: 'NEW_AND_OLD_IMAGES',
        ApproximateCreationDateTime: new Date(clock.now()),
      },
    });
    const sequence = found.map(({ dynamodb }) => dynamodb?.SequenceNumber as string);
    expect([...sequence].sort()).toEqual(sequence);
    expect(new Set(found.map(({ eventID }) => eventID)).size).toBe(3);
  });

  it.each([
    ['KEYS_ONLY', false, false],
    ['NEW_IMAGE', false, true],
    ['OLD_IMAGE', true, false],
  ] as const)("has only the %s view's images", async (view, hasOld, hasNew) => {
    const { table, arn } = await tableWithStream(view);
    await put(db.client, table, person('Oslo', 1, { n: { N: '1' } }), person('Oslo', 1, { n: { N: '2' } }));
    const change = (await records(arn))[1]?.dynamodb;
    expect(change?.Keys).toEqual(person('Oslo', 1));
    expect([change?.OldImage !== undefined, change?.NewImage !== undefined]).toEqual([hasOld, hasNew]);
  });

  it('has no record of a cancelled transaction and all of a committed one', async () => {
    const { table, arn } = await tableWithStream('KEYS_ONLY');
    const putting = (sk: number, condition?: string) => ({
      Put: { TableName: table, Item: person('Oslo', sk), ConditionExpression: condition },
    });
    await rejection(
      db.client.send(
        new TransactWriteItemsCommand({ TransactItems: [putting(1), putting(2, 'attribute_exists(pk)')] }),
      ),
    );
    await db.client.send(new TransactWriteItemsCommand({ TransactItems: [putting(3), putting(4)] }));
    expect((await records(arn)).map(({ dynamodb }) => dynamodb?.Keys?.sk?.N)).toEqual(['3', '4']);
  });

  it('is read with every type of iterator and continued with the next one', async () => {
    const { table, arn } = await tableWithStream('KEYS_ONLY');
    await put(db.client, table, person('Oslo', 1), person('Oslo', 2), person('Oslo', 3));
    const latest = await iterator(arn, { ShardIteratorType: 'LATEST' });
    const all = await records(arn);
    const middle = all[1]?.dynamodb?.SequenceNumber;
    const keys = (found: StreamRecord[] | undefined) => found?.map(({ dynamodb }) => dynamodb?.Keys?.sk?.N);
    expect(keys(await records(arn, { ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber: middle }))).toEqual([
      '2',
      '3',
    ]);
    expect(keys(await records(arn, { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: middle }))).toEqual([
      '3',
    ]);
    const nothing = await db.streams.send(new GetRecordsCommand({ ShardIterator: latest }));
    expect(nothing.Records).toEqual([]);
    await put(db.client, table, person('Oslo', 4));
    const next = await db.streams.send(new GetRecordsCommand({ ShardIterator: nothing.NextShardIterator }));
    expect(keys(next.Records)).toEqual(['4']);
    const limited = await db.streams.send(new GetRecordsCommand({ ShardIterator: await iterator(arn), Limit: 2 }));
    expect(keys(limited.Records)).toEqual(['1', '2']);
  });

  it('keeps a record for 24 hours and an iterator for 15 minutes', async () => {
    const { table, arn } = await tableWithStream('KEYS_ONLY');
    await put(db.client, table, person('Oslo', 1));
    const first = (await records(arn))[0]?.dynamodb?.SequenceNumber;
    const old = await iterator(arn);
    await clock.advance(16 * 60_000);
    expect((await rejection(db.streams.send(new GetRecordsCommand({ ShardIterator: old })))).name).toBe(
      'ExpiredIteratorException',
    );
    await clock.advance(23 * HOUR);
    expect(await records(arn)).toHaveLength(1);
    await clock.advance(HOUR);
    expect(await records(arn)).toHaveLength(0);
    expect(
      (await rejection(iterator(arn, { ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber: first }))).name,
    ).toBe('TrimmedDataAccessException');
    db = await db.restart();
    await put(db.client, table, person('Oslo', 2));
    expect(((await records(arn))[0]?.dynamodb?.SequenceNumber as string) > (first as string)).toBe(true);
  });

  it('stays readable after it was disabled, ends, and is followed by a new one', async () => {
    const { table, arn } = await tableWithStream('KEYS_ONLY');
    await put(db.client, table, person('Oslo', 1));
    await db.client.send(new UpdateTableCommand({ TableName: table, StreamSpecification: { StreamEnabled: false } }));
    await put(db.client, table, person('Oslo', 2));
    await db.client.send(
      new UpdateTableCommand({
        TableName: table,
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
      }),
    );
    await put(db.client, table, person('Oslo', 3));
    const closed = await db.streams.send(new GetRecordsCommand({ ShardIterator: await iterator(arn) }));
    expect(closed.Records?.map(({ dynamodb }) => dynamodb?.Keys?.sk?.N)).toEqual(['1']);
    expect(closed.NextShardIterator).toBeUndefined();
    const second = await streamOf(table);
    expect((await records(second)).map(({ dynamodb }) => dynamodb?.Keys?.sk?.N)).toEqual(['3']);
    const { Streams } = await db.streams.send(new ListStreamsCommand({ TableName: table }));
    expect(Streams?.map(({ StreamArn }) => StreamArn)).toEqual([arn, second].sort());
  });

  it('notifies in-process readers of new records', async () => {
    const { table, arn } = await tableWithStream('NEW_IMAGE');
    expect(db.service.latest(arn)).toBeUndefined();
    await new Promise<void>((resolve) => {
      const stop = db.service.subscribe(arn, () => {
        stop();
        resolve();
      });
      void db.client.send(new PutItemCommand({ TableName: table, Item: person('Oslo', 1) }));
    });
    await put(db.client, table, person('Oslo', 2));
    const first = db.service.read({ caller: ROOT, streamArn: arn, max: 1 });
    expect(first.records.map(({ dynamodb }) => dynamodb.NewImage)).toEqual([person('Oslo', 1)]);
    const rest = db.service.read({
      caller: ROOT,
      streamArn: arn,
      max: 10,
      ...(first.lastSequence ? { afterSequence: first.lastSequence } : {}),
    });
    expect(rest.records).toHaveLength(1);
    expect(rest.lastSequence).toBe(db.service.latest(arn));
  });
});

describe('time to live', () => {
  it('deletes expired items, names itself in the stream, and keeps items that expired long ago', async () => {
    const { table, arn } = await tableWithStream('NEW_AND_OLD_IMAGES');
    const now = Math.floor(clock.now() / 1000);
    const expiring = (sk: number, at: number | string) =>
      person('Oslo', sk, { expiresAt: typeof at === 'number' ? { N: String(at) } : { S: at } });
    await put(db.client, table, expiring(1, now + 10), expiring(2, now + 1000));
    await db.client.send(
      new UpdateTimeToLiveCommand({
        TableName: table,
        TimeToLiveSpecification: { Enabled: true, AttributeName: 'expiresAt' },
      }),
    );
    await put(
      db.client,
      table,
      expiring(3, now + 10),
      expiring(4, now - 6 * 365 * 86_400),
      expiring(5, String(now + 10)),
      person('Oslo', 6),
    );
    const before = db.service.capacity();
    await clock.advance(12_000);
    const removed = (await records(arn)).filter(({ eventName }) => eventName === 'REMOVE');
    expect(removed.map(({ dynamodb, userIdentity }) => [dynamodb?.OldImage?.sk?.N, userIdentity])).toEqual([
      ['1', { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' }],
      ['3', { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' }],
    ]);
    // In-process records have the form that functions receive.
    const event = db.service
      .read({ caller: ROOT, streamArn: arn, max: 100 })
      .records.find(({ eventName }) => eventName === 'REMOVE');
    expect(event?.userIdentity).toEqual({ type: 'Service', principalId: 'dynamodb.amazonaws.com' });
    expect(db.service.capacity()).toEqual(before);
  });
});
