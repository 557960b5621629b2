import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCloud, type TestCloud } from './support/cloud.ts';
import { eventually } from './support/eventually.ts';
import { batches, map, recorder, STREAM_KEY, untilBatches } from './support/mapped-functions.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startCloud();
});
afterAll(() => cloud.close());

describe('a DynamoDB stream event source', () => {
  it('delivers records in order, from the horizon on, and notices new ones', async () => {
    const stream = cloud.streams.create('ordered');
    cloud.streams.insert(stream, 'a', 'b', 'c');
    await cloud.create('ordered', recorder('', STREAM_KEY));
    await map(cloud, {
      FunctionName: 'ordered',
      EventSourceArn: stream,
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 2,
    });
    expect(await untilBatches(cloud, 'ordered', 2)).toEqual([['a', 'b'], ['c']]);
    cloud.streams.insert(stream, 'd');
    expect(await untilBatches(cloud, 'ordered', 3)).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  it('starts at LATEST with records after its creation', async () => {
    const stream = cloud.streams.create('latest');
    cloud.streams.insert(stream, 'old');
    await cloud.create('latest', recorder('', `[${STREAM_KEY}, record.eventSourceARN]`));
    await map(cloud, { FunctionName: 'latest', EventSourceArn: stream, StartingPosition: 'LATEST' });
    cloud.streams.insert(stream, 'new');
    expect(await untilBatches(cloud, 'latest', 1)).toEqual([[['new', stream]]]);
  });

  it('passes on only records that match a filter', async () => {
    const stream = cloud.streams.create('picked');
    await cloud.create('picked', recorder('', STREAM_KEY));
    const pattern = { eventName: ['INSERT'], dynamodb: { NewImage: { pk: { S: [{ prefix: 'OUTBOX#' }] } } } };
    await map(cloud, {
      FunctionName: 'picked',
      EventSourceArn: stream,
      StartingPosition: 'TRIM_HORIZON',
      FilterCriteria: { Filters: [{ Pattern: JSON.stringify(pattern) }] },
    });
    cloud.streams.insert(stream, 'ORDER#1', 'OUTBOX#1', 'ORDER#2');
    cloud.streams.insert(stream, 'OUTBOX#2');
    await eventually(() => batches(cloud, 'picked').flat()).toEqual(['OUTBOX#1', 'OUTBOX#2']);
  });

  it('bisects a failing batch, skips the bad record after its retries and reports it', async () => {
    const stream = cloud.streams.create('bisected');
    const dead = cloud.queues.create('bisected-dead');
    await cloud.create(
      'bisected',
      recorder(`if (records.some((record) => ${STREAM_KEY} === 'bad')) throw new Error('bad record');`, STREAM_KEY),
    );
    const sequences = cloud.streams.insert(stream, 'a', 'b', 'bad', 'd');
    await map(cloud, {
      FunctionName: 'bisected',
      EventSourceArn: stream,
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 1,
      DestinationConfig: { OnFailure: { Destination: dead } },
    });
    const [body] = await cloud.queues.untilSize(dead, 1);
    expect(JSON.parse(body as string)).toMatchObject({
      requestContext: {
        functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:bisected',
        condition: 'RetryAttemptsExhausted',
        approximateInvokeCount: 2,
      },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      version: '1.0',
      DDBStreamBatchInfo: {
        startSequenceNumber: sequences[2],
        endSequenceNumber: sequences[2],
        batchSize: 1,
        streamArn: stream,
      },
    });
    expect(await untilBatches(cloud, 'bisected', 6)).toEqual([
      ['a', 'b', 'bad', 'd'],
      ['a', 'b'],
      ['bad', 'd'],
      ['bad'],
      ['bad'],
      ['d'],
    ]);
  });

  it('continues from the first record that the function reports as failed', async () => {
    const stream = cloud.streams.create('reported');
    await cloud.create(
      'reported',
      recorder(
        `globalThis.calls = (globalThis.calls ?? 0) + 1;
         if (globalThis.calls === 1) return { batchItemFailures: [{ itemIdentifier: records[1].dynamodb.SequenceNumber }] };`,
        STREAM_KEY,
      ),
    );
    cloud.streams.insert(stream, 'a', 'b', 'c');
    await map(cloud, {
      FunctionName: 'reported',
      EventSourceArn: stream,
      StartingPosition: 'TRIM_HORIZON',
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    expect(await untilBatches(cloud, 'reported', 2)).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ]);
  });

  it('continues after its checkpoint when the service restarts', async () => {
    const stream = cloud.streams.create('durable');
    await cloud.create('durable', recorder('', STREAM_KEY));
    await map(cloud, { FunctionName: 'durable', EventSourceArn: stream, StartingPosition: 'TRIM_HORIZON' });
    cloud.streams.insert(stream, 'before');
    await untilBatches(cloud, 'durable', 1);
    await eventually(() => cloud.logged.get('/aws/lambda/durable')?.some((line) => line.startsWith('REPORT'))).toBe(
      true,
    );
    await cloud.restart();
    cloud.streams.insert(stream, 'after');
    expect(await untilBatches(cloud, 'durable', 2)).toEqual([['before'], ['after']]);
  });

  it('rejects unsupported settings', async () => {
    const stream = cloud.streams.create('strict');
    await cloud.create('strict', recorder('', STREAM_KEY));
    const input = { FunctionName: 'strict', EventSourceArn: stream, StartingPosition: 'LATEST' } as const;
    await expect(map(cloud, { ...input, StartingPosition: undefined })).rejects.toThrow(/startingPosition/);
    await expect(map(cloud, { ...input, ParallelizationFactor: 2 })).rejects.toThrow(/ParallelizationFactor/);
    await expect(map(cloud, { ...input, TumblingWindowInSeconds: 5 })).rejects.toThrow(/tumbling/);
    await expect(
      map(cloud, { ...input, FilterCriteria: { Filters: [{ Pattern: '{"a":[{"nonsense":"x"}]}' }] } }),
    ).rejects.toThrow(/nonsense/);
  });
});
