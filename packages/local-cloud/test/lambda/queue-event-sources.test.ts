import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateEventSourceMappingCommand, GetEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ManualClock } from '../../core/clock.ts';
import { startCloud, type TestCloud } from './support/cloud.ts';
import { eventually } from './support/eventually.ts';
import { batches, map, recorder, untilBatches } from './support/mapped-functions.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startCloud();
});
afterAll(() => cloud.close());

const lastResult = async ({ client }: TestCloud, UUID: string | undefined) =>
  (await client.send(new GetEventSourceMappingCommand({ UUID }))).LastProcessingResult;

/** Holds functions until they are answered; counts arrived and waiting ones. */
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
    await map(cloud, { FunctionName: 'plain', EventSourceArn: queue });
    await cloud.queues.send({ queueArn: queue, body: 'hello' });
    await cloud.queues.untilSize(queue, 0);
    expect(batches(cloud, 'plain')).toEqual([[['hello', 'aws:sqs', queue, '1']]]);
  });

  it('leaves the messages of a failed batch in the queue, with unchanged visibility', async () => {
    const queue = cloud.queues.create('fails');
    await cloud.create(
      'fails',
      recorder(`if (records[0].attributes.ApproximateReceiveCount === '1') throw new Error('first time');`),
    );
    await map(cloud, { FunctionName: 'fails', EventSourceArn: queue });
    await cloud.queues.send({ queueArn: queue, body: 'again' });
    await untilBatches(cloud, 'fails', 1);
    await eventually(() => cloud.logged.get('/aws/lambda/fails')?.some((line) => line.startsWith('REPORT'))).toBe(true);
    expect(cloud.queues.bodies(queue)).toEqual(['again']);
    expect(cloud.queues.visibilityChanges).toEqual([]);
    cloud.queues.expireVisibility(queue);
    await cloud.queues.untilSize(queue, 0);
    expect(batches(cloud, 'fails')).toHaveLength(2);
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
    await map(cloud, {
      FunctionName: 'partial',
      EventSourceArn: queue,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    expect(await cloud.queues.untilSize(queue, 1)).toEqual(['bad']);
  });

  it('keeps the whole batch when the report is invalid', async () => {
    const queue = cloud.queues.create('garbled');
    for (const body of ['one', 'two']) await cloud.queues.send({ queueArn: queue, body });
    await cloud.create(
      'garbled',
      recorder(
        `if (records[0].attributes.ApproximateReceiveCount === '1') return { batchItemFailures: [{ itemIdentifier: '' }] };`,
      ),
    );
    const { UUID } = await map(cloud, {
      FunctionName: 'garbled',
      EventSourceArn: queue,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    await eventually(() => lastResult(cloud, UUID)).toBe('PROBLEM: Function call failed');
    expect(cloud.queues.bodies(queue)).toEqual(['one', 'two']);
  });

  it('collects a batch during the batching window', async () => {
    const queue = cloud.queues.create('window');
    await cloud.create('window', recorder());
    await map(cloud, {
      FunctionName: 'window',
      EventSourceArn: queue,
      BatchSize: 15,
      MaximumBatchingWindowInSeconds: 10,
    });
    for (let index = 0; index < 15; index += 1) await cloud.queues.send({ queueArn: queue, body: String(index) });
    await cloud.queues.untilSize(queue, 0);
    expect(batches(cloud, 'window').map((batch) => batch.length)).toEqual([15]);
  });

  it('drops messages that match no filter', async () => {
    const queue = cloud.queues.create('filtered');
    await cloud.create('filtered', recorder());
    await map(cloud, {
      FunctionName: 'filtered',
      EventSourceArn: queue,
      FilterCriteria: {
        Filters: [{ Pattern: JSON.stringify({ body: { kind: ['keep'], size: [{ numeric: ['>', 1] }] } }) }],
      },
    });
    const bodies = ['{"kind":"keep","size":2}', '{"kind":"keep","size":1}', '{"kind":"drop","size":5}', 'no json'];
    for (const body of bodies) await cloud.queues.send({ queueArn: queue, body });
    await cloud.queues.untilSize(queue, 0);
    expect(batches(cloud, 'filtered').flat()).toEqual([bodies[0]]);
  });

  it('runs at most MaximumConcurrency batches at a time', async () => {
    const queue = cloud.queues.create('narrow');
    for (let index = 0; index < 8; index += 1) await cloud.queues.send({ queueArn: queue, body: String(index) });
    await cloud.create(
      'narrow',
      recorder(`await new Promise((done) => setTimeout(done, 30)); console.log('END ' + Date.now());`),
    );
    await map(cloud, {
      FunctionName: 'narrow',
      EventSourceArn: queue,
      BatchSize: 1,
      ScalingConfig: { MaximumConcurrency: 2 },
    });
    await cloud.queues.untilSize(queue, 0);
    let running = 0;
    let max = 0;
    for (const line of cloud.logged.get('/aws/lambda/narrow') ?? []) {
      if (line.startsWith('START')) running += 1;
      if (line.startsWith('REPORT')) running -= 1;
      max = Math.max(max, running);
    }
    expect(max).toBe(2);
  });

  it('increases its concurrency under load, and halves it when the function fails', async () => {
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
      if (!(await fetch(body)).ok) throw new Error('rejected');
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
    await map(cloud, { FunctionName: 'throttled', EventSourceArn: queue });
    await cloud.queues.send({ queueArn: queue, body: 'patient' });
    await cloud.queues.untilSize(queue, 0);
    expect(batches(cloud, 'throttled')).toEqual([['patient']]);
  });

  it('delivers a batch twice when a fault strikes', async () => {
    const queue = cloud.queues.create('twice');
    await cloud.create('twice', recorder());
    cloud.faults.replace([
      { effect: 'duplicate', service: 'lambda', operation: 'EventSourceMapping', resource: 'twice', times: 1 },
    ]);
    await map(cloud, { FunctionName: 'twice', EventSourceArn: queue });
    await cloud.queues.send({ queueArn: queue, body: 'echo' });
    await cloud.queues.untilSize(queue, 0);
    expect(batches(cloud, 'twice')).toEqual([['echo'], ['echo']]);
  });

  it('rejects members that do not fit a queue', async () => {
    const queue = cloud.queues.create('rejected');
    await cloud.create('rejected', recorder(), { Timeout: 31 });
    await expect(map(cloud, { FunctionName: 'rejected', EventSourceArn: queue })).rejects.toMatchObject({
      name: 'InvalidParameterValueException',
      message: 'Queue visibility timeout: 30 seconds is less than Function timeout: 31 seconds',
    });
    await expect(map(cloud, { FunctionName: 'plain', EventSourceArn: `${queue}-none` })).rejects.toThrow(
      /NonExistentQueue/,
    );
    await expect(map(cloud, { FunctionName: 'plain', EventSourceArn: queue, BatchSize: 11 })).rejects.toThrow(
      /Maximum batch window/,
    );
    await expect(
      map(cloud, { FunctionName: 'plain', EventSourceArn: queue, BisectBatchOnFunctionError: true }),
    ).rejects.toThrow(/BisectBatchOnFunctionError/);
    await expect(
      map(cloud, { FunctionName: 'plain', EventSourceArn: queue, ProvisionedPollerConfig: {} }),
    ).rejects.toThrow(/ProvisionedPollerConfig/);
  });
});
