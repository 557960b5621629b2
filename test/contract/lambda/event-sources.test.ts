import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CreateEventSourceMappingCommand,
  type CreateEventSourceMappingCommandInput,
  DeleteEventSourceMappingCommand,
  GetEventSourceMappingCommand,
  ListEventSourceMappingsCommand,
  ListTagsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ManualClock } from '../../../infra/local/core/clock.ts';
import { startCloud, type TestCloud } from './support/cloud.ts';
import { eventually } from './support/eventually.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startCloud();
});
afterAll(() => cloud.close());

const map = (input: CreateEventSourceMappingCommandInput) =>
  cloud.client.send(new CreateEventSourceMappingCommand(input));
const lastResult = async ({ client }: Pick<typeof cloud, 'client'>, UUID: string | undefined) =>
  (await client.send(new GetEventSourceMappingCommand({ UUID }))).LastProcessingResult;

/** Where functions wait until they are answered; counts those that have come, and those that wait. */
async function openGate() {
  const waiting: ServerResponse[] = [];
  let come = 0;
  const server = createServer((_request, response) => {
    come += 1;
    waiting.push(response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    get come() {
      return come;
    },
    get waiting() {
      return waiting.length;
    },
    answer(status: number, count: number): void {
      for (const response of waiting.splice(0, count)) response.writeHead(status).end();
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A function that logs its batches as JSON lines, then does what `body` says with `records`. */
const recorder = (body = '', key = 'record.body') => `
  export const handler = async ({ Records: records }) => {
    console.log('BATCH ' + JSON.stringify(records.map((record) => ${key})));
    ${body}
  };`;

const STREAM_KEY = 'record.dynamodb.NewImage.pk.S';

/** The batches that a function has logged so far. */
function batches(name: string): unknown[][] {
  const lines = cloud.logged.get(`/aws/lambda/${name}`) ?? [];
  return lines.flatMap((line) => (line.includes('BATCH ') ? [JSON.parse(line.slice(line.indexOf('BATCH ') + 6))] : []));
}

async function untilBatches(name: string, count: number): Promise<unknown[][]> {
  await eventually(() => batches(name).length).toBeGreaterThanOrEqual(count);
  return batches(name);
}

describe('an SQS event source', () => {
  it('delivers a message as an event and deletes it after success', async () => {
    const queue = cloud.queues.create('plain');
    await cloud.create(
      'plain',
      recorder(
        '',
        '[record.body, record.eventSource, record.eventSourceARN, record.attributes.ApproximateReceiveCount]',
      ),
    );
    await map({ FunctionName: 'plain', EventSourceArn: queue });
    await cloud.queues.send({ queueArn: queue, body: 'hello' });
    await cloud.queues.untilSize(queue, 0);
    expect(batches('plain')).toEqual([[['hello', 'aws:sqs', queue, '1']]]);
  });

  it('leaves the messages of a failed batch in the queue, with their visibility untouched', async () => {
    const queue = cloud.queues.create('fails');
    await cloud.create(
      'fails',
      recorder(`if (records[0].attributes.ApproximateReceiveCount === '1') throw new Error('first time');`),
    );
    await map({ FunctionName: 'fails', EventSourceArn: queue });
    await cloud.queues.send({ queueArn: queue, body: 'again' });
    await untilBatches('fails', 1);
    await eventually(() => cloud.logged.get('/aws/lambda/fails')?.some((line) => line.startsWith('REPORT'))).toBe(true);
    expect(cloud.queues.bodies(queue)).toEqual(['again']);
    expect(cloud.queues.visibilityChanges).toEqual([]);
    cloud.queues.expireVisibility(queue);
    await cloud.queues.untilSize(queue, 0);
    expect(batches('fails')).toHaveLength(2);
  });

  it('keeps only the messages that the function reports as failed', async () => {
    const queue = cloud.queues.create('partial');
    for (const body of ['good', 'bad', 'fine']) await cloud.queues.send({ queueArn: queue, body });
    await cloud.create(
      'partial',
      recorder(
        `return { batchItemFailures: records.filter((record) => record.body === 'bad').map((record) => ({ itemIdentifier: record.messageId })) };`,
      ),
    );
    await map({ FunctionName: 'partial', EventSourceArn: queue, FunctionResponseTypes: ['ReportBatchItemFailures'] });
    expect(await cloud.queues.untilSize(queue, 1)).toEqual(['bad']);
  });

  it('keeps the whole batch when the report is not understood', async () => {
    const queue = cloud.queues.create('garbled');
    for (const body of ['one', 'two']) await cloud.queues.send({ queueArn: queue, body });
    await cloud.create(
      'garbled',
      recorder(
        `if (records[0].attributes.ApproximateReceiveCount === '1') return { batchItemFailures: [{ itemIdentifier: '' }] };`,
      ),
    );
    const { UUID } = await map({
      FunctionName: 'garbled',
      EventSourceArn: queue,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    await eventually(() => lastResult(cloud, UUID)).toBe('PROBLEM: Function call failed');
    expect(cloud.queues.bodies(queue)).toEqual(['one', 'two']);
  });

  it('gathers a batch during the batching window', async () => {
    const queue = cloud.queues.create('window');
    await cloud.create('window', recorder());
    await map({ FunctionName: 'window', EventSourceArn: queue, BatchSize: 15, MaximumBatchingWindowInSeconds: 10 });
    for (let index = 0; index < 15; index += 1) await cloud.queues.send({ queueArn: queue, body: String(index) });
    await cloud.queues.untilSize(queue, 0);
    expect(batches('window').map((batch) => batch.length)).toEqual([15]);
  });

  it('drops messages that no filter lets through', async () => {
    const queue = cloud.queues.create('filtered');
    await cloud.create('filtered', recorder());
    await map({
      FunctionName: 'filtered',
      EventSourceArn: queue,
      FilterCriteria: {
        Filters: [{ Pattern: JSON.stringify({ body: { kind: ['keep'], size: [{ numeric: ['>', 1] }] } }) }],
      },
    });
    const bodies = ['{"kind":"keep","size":2}', '{"kind":"keep","size":1}', '{"kind":"drop","size":5}', 'no json'];
    for (const body of bodies) await cloud.queues.send({ queueArn: queue, body });
    await cloud.queues.untilSize(queue, 0);
    expect(batches('filtered').flat()).toEqual([bodies[0]]);
  });

  it('runs no more batches at a time than MaximumConcurrency', async () => {
    const queue = cloud.queues.create('narrow');
    for (let index = 0; index < 8; index += 1) await cloud.queues.send({ queueArn: queue, body: String(index) });
    await cloud.create(
      'narrow',
      recorder(`await new Promise((done) => setTimeout(done, 30)); console.log('END ' + Date.now());`),
    );
    await map({
      FunctionName: 'narrow',
      EventSourceArn: queue,
      BatchSize: 1,
      ScalingConfig: { MaximumConcurrency: 2 },
    });
    await cloud.queues.untilSize(queue, 0);
    let running = 0;
    let most = 0;
    for (const line of cloud.logged.get('/aws/lambda/narrow') ?? []) {
      if (line.startsWith('START')) running += 1;
      if (line.startsWith('REPORT')) running -= 1;
      most = Math.max(most, running);
    }
    expect(most).toBe(2);
  });

  it('grows its concurrency while that is not enough, and halves it when the function fails', async () => {
    const clock = new ManualClock();
    const patient = await startCloud({ clock });
    const gate = await openGate();
    onTestFinished(async () => {
      gate.close();
      await patient.close();
    });
    const queue = patient.queues.create('elastic');
    for (let index = 0; index < 30; index += 1) await patient.queues.send({ queueArn: queue, body: gate.url });
    const passing = `export const handler = async ({ Records: [{ body }] }) => {
      if (!(await fetch(body)).ok) throw new Error('refused');
    };`;
    await patient.create('elastic', passing, { Timeout: 30 });
    const ScalingConfig = { MaximumConcurrency: 12 };
    const mapping = { FunctionName: 'elastic', EventSourceArn: queue, BatchSize: 1, ScalingConfig };
    const { UUID } = await patient.client.send(new CreateEventSourceMappingCommand(mapping));

    for (let concurrency = 5; concurrency <= 12; concurrency += 1) {
      await eventually(() => gate.waiting).toBe(concurrency);
      await clock.advance(1000);
    }
    expect(gate.come).toBe(12);
    gate.answer(500, 1);
    await eventually(() => lastResult(patient, UUID)).toBe('PROBLEM: Function call failed');
    gate.answer(200, 6);
    await eventually(() => gate.come).toBe(13);
    expect(gate.waiting).toBe(6);
    await clock.advance(1000);
    await eventually(() => gate.waiting).toBe(7);
  });

  it('holds a batch through throttles of the function', async () => {
    const queue = cloud.queues.create('throttled');
    await cloud.create('throttled', recorder());
    cloud.faults.replace([{ effect: 'throttle', service: 'lambda', resource: 'throttled', times: 2 }]);
    await map({ FunctionName: 'throttled', EventSourceArn: queue });
    await cloud.queues.send({ queueArn: queue, body: 'patient' });
    await cloud.queues.untilSize(queue, 0);
    expect(batches('throttled')).toEqual([['patient']]);
  });

  it('delivers a batch twice when a fault says so', async () => {
    const queue = cloud.queues.create('twice');
    await cloud.create('twice', recorder());
    cloud.faults.replace([
      { effect: 'duplicate', service: 'lambda', operation: 'EventSourceMapping', resource: 'twice', times: 1 },
    ]);
    await map({ FunctionName: 'twice', EventSourceArn: queue });
    await cloud.queues.send({ queueArn: queue, body: 'echo' });
    await cloud.queues.untilSize(queue, 0);
    expect(batches('twice')).toEqual([['echo'], ['echo']]);
  });

  it('refuses what does not fit a queue', async () => {
    const queue = cloud.queues.create('refused');
    await cloud.create('refused', recorder(), { Timeout: 31 });
    await expect(map({ FunctionName: 'refused', EventSourceArn: queue })).rejects.toMatchObject({
      name: 'InvalidParameterValueException',
      message: 'Queue visibility timeout: 30 seconds is less than Function timeout: 31 seconds',
    });
    await expect(map({ FunctionName: 'plain', EventSourceArn: `${queue}-none` })).rejects.toThrow(/NonExistentQueue/);
    await expect(map({ FunctionName: 'plain', EventSourceArn: queue, BatchSize: 11 })).rejects.toThrow(
      /Maximum batch window/,
    );
    await expect(
      map({ FunctionName: 'plain', EventSourceArn: queue, BisectBatchOnFunctionError: true }),
    ).rejects.toThrow(/BisectBatchOnFunctionError/);
    await expect(map({ FunctionName: 'plain', EventSourceArn: queue, ProvisionedPollerConfig: {} })).rejects.toThrow(
      /ProvisionedPollerConfig/,
    );
  });
});

describe('a DynamoDB stream event source', () => {
  it('delivers records in order, from the horizon on, and wakes for new ones', async () => {
    const stream = cloud.streams.create('ordered');
    cloud.streams.insert(stream, 'a', 'b', 'c');
    await cloud.create('ordered', recorder('', STREAM_KEY));
    await map({ FunctionName: 'ordered', EventSourceArn: stream, StartingPosition: 'TRIM_HORIZON', BatchSize: 2 });
    expect(await untilBatches('ordered', 2)).toEqual([['a', 'b'], ['c']]);
    cloud.streams.insert(stream, 'd');
    expect(await untilBatches('ordered', 3)).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  it('starts at LATEST with what comes after its creation', async () => {
    const stream = cloud.streams.create('latest');
    cloud.streams.insert(stream, 'old');
    await cloud.create('latest', recorder('', `[${STREAM_KEY}, record.eventSourceARN]`));
    await map({ FunctionName: 'latest', EventSourceArn: stream, StartingPosition: 'LATEST' });
    cloud.streams.insert(stream, 'new');
    expect(await untilBatches('latest', 1)).toEqual([[['new', stream]]]);
  });

  it('passes on only what a filter accepts', async () => {
    const stream = cloud.streams.create('picked');
    await cloud.create('picked', recorder('', STREAM_KEY));
    const pattern = { eventName: ['INSERT'], dynamodb: { NewImage: { pk: { S: [{ prefix: 'OUTBOX#' }] } } } };
    await map({
      FunctionName: 'picked',
      EventSourceArn: stream,
      StartingPosition: 'TRIM_HORIZON',
      FilterCriteria: { Filters: [{ Pattern: JSON.stringify(pattern) }] },
    });
    cloud.streams.insert(stream, 'ORDER#1', 'OUTBOX#1', 'ORDER#2');
    cloud.streams.insert(stream, 'OUTBOX#2');
    await eventually(() => batches('picked').flat()).toEqual(['OUTBOX#1', 'OUTBOX#2']);
  });

  it('bisects a failing batch, gives the bad record up after its retries and reports it', async () => {
    const stream = cloud.streams.create('bisected');
    const dead = cloud.queues.create('bisected-dead');
    await cloud.create(
      'bisected',
      recorder(`if (records.some((record) => ${STREAM_KEY} === 'bad')) throw new Error('bad record');`, STREAM_KEY),
    );
    const sequences = cloud.streams.insert(stream, 'a', 'b', 'bad', 'd');
    await map({
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
    expect(await untilBatches('bisected', 6)).toEqual([
      ['a', 'b', 'bad', 'd'],
      ['a', 'b'],
      ['bad', 'd'],
      ['bad'],
      ['bad'],
      ['d'],
    ]);
  });

  it('goes on from the first record that the function reports as failed', async () => {
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
    await map({
      FunctionName: 'reported',
      EventSourceArn: stream,
      StartingPosition: 'TRIM_HORIZON',
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    expect(await untilBatches('reported', 2)).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ]);
  });

  it('goes on after its checkpoint when the service is opened again', async () => {
    const stream = cloud.streams.create('durable');
    await cloud.create('durable', recorder('', STREAM_KEY));
    await map({ FunctionName: 'durable', EventSourceArn: stream, StartingPosition: 'TRIM_HORIZON' });
    cloud.streams.insert(stream, 'before');
    await untilBatches('durable', 1);
    await eventually(() => cloud.logged.get('/aws/lambda/durable')?.some((line) => line.startsWith('REPORT'))).toBe(
      true,
    );
    await cloud.restart();
    cloud.streams.insert(stream, 'after');
    expect(await untilBatches('durable', 2)).toEqual([['before'], ['after']]);
  });

  it('refuses what it cannot do', async () => {
    const stream = cloud.streams.create('strict');
    const input = { FunctionName: 'plain', EventSourceArn: stream, StartingPosition: 'LATEST' } as const;
    await expect(map({ ...input, StartingPosition: undefined })).rejects.toThrow(/startingPosition/);
    await expect(map({ ...input, ParallelizationFactor: 2 })).rejects.toThrow(/ParallelizationFactor/);
    await expect(map({ ...input, TumblingWindowInSeconds: 5 })).rejects.toThrow(/tumbling/);
    await expect(
      map({ ...input, FilterCriteria: { Filters: [{ Pattern: '{"a":[{"nonsense":"x"}]}' }] } }),
    ).rejects.toThrow(/nonsense/);
  });
});

describe('event source mappings', () => {
  it('are described, listed, changed, disabled and deleted', async () => {
    const queue = cloud.queues.create('managed');
    await cloud.create('managed', recorder());
    const created = await map({ FunctionName: 'managed', EventSourceArn: queue, BatchSize: 5, Tags: { team: 'a' } });
    const { UUID } = created;
    expect(created).toMatchObject({
      State: 'Creating',
      BatchSize: 5,
      FunctionArn: expect.stringMatching(/:function:managed$/),
    });
    await expect(map({ FunctionName: 'managed', EventSourceArn: queue })).rejects.toMatchObject({
      name: 'ResourceConflictException',
    });

    const tags = await cloud.client.send(new ListTagsCommand({ Resource: created.EventSourceMappingArn }));
    expect(tags.Tags).toEqual({ team: 'a' });

    await cloud.client.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: false, BatchSize: 7 }));
    const listed = await cloud.client.send(new ListEventSourceMappingsCommand({ FunctionName: 'managed' }));
    expect(listed.EventSourceMappings).toEqual([expect.objectContaining({ UUID, State: 'Disabled', BatchSize: 7 })]);
    await cloud.queues.send({ queueArn: queue, body: 'waits' });
    await cloud.client.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: true }));
    await cloud.queues.untilSize(queue, 0);

    await cloud.client.send(new DeleteEventSourceMappingCommand({ UUID }));
    await expect(cloud.client.send(new GetEventSourceMappingCommand({ UUID }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});
