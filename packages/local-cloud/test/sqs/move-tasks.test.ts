import {
  CancelMessageMoveTaskCommand,
  DeleteQueueCommand,
  ListMessageMoveTasksCommand,
  StartMessageMoveTaskCommand,
  type StartMessageMoveTaskCommandInput,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestQueues } from './support/test-queues.ts';

let queues: TestQueues;
beforeEach(async () => {
  queues = await TestQueues.start();
});
afterEach(() => queues.close());

const SourceArn = 'arn:aws:sqs:us-east-1:000000000000:orders-dead';
const start = (more: Partial<StartMessageMoveTaskCommandInput> = {}) =>
  queues.client.send(new StartMessageMoveTaskCommand({ SourceArn, ...more }));
const tasks = async () =>
  (await queues.client.send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 10 }))).Results ?? [];

/** A dead-letter queue with this many messages of its source. */
async function bury(count: number): Promise<{ url: string; deadLetters: string }> {
  const both = await queues.createWithDeadLetters('orders', 1);
  for (let index = 0; index < count; index += 1) await queues.send(both.url, `m${index}`);
  for (let index = 0; index < count; index += 10) await queues.receive(both.url, { VisibilityTimeout: 0 });
  for (let index = 0; index < count; index += 10) await queues.receive(both.url, { VisibilityTimeout: 0 });
  expect(await queues.counts(both.deadLetters)).toEqual([count, 0, 0]);
  return both;
}

describe('a message move task', () => {
  it('brings messages back to the queue they came from, as new ones', async () => {
    const { url, deadLetters } = await bury(3);
    await queues.clock.advance(1_000);
    await start();
    await queues.clock.advance(100);
    expect(await tasks()).toEqual([
      {
        SourceArn,
        Status: 'COMPLETED',
        ApproximateNumberOfMessagesMoved: 3,
        ApproximateNumberOfMessagesToMove: 3,
        StartedTimestamp: Date.UTC(2026, 0, 1) + 1_000,
      },
    ]);
    expect(await queues.counts(deadLetters)).toEqual([0, 0, 0]);
    const back = await queues.receive(url);
    expect(back.map(({ Body }) => Body)).toEqual(['m0', 'm1', 'm2']);
    expect(back[0]?.Attributes).toMatchObject({ ApproximateReceiveCount: '1', SentTimestamp: '1767225601000' });
  });

  it('keeps its rate, continues after a restart and can be cancelled', async () => {
    const { url } = await bury(10);
    const { TaskHandle } = await start({ MaxNumberOfMessagesPerSecond: 1 });
    await queues.clock.advance(2_500);
    expect((await queues.counts(url))[0]).toBe(3);
    await expect(start()).rejects.toMatchObject({
      message:
        'There is already a task running. Only one active task is allowed for a source queue arn at a given time.',
    });
    await queues.restart();
    await queues.clock.advance(1_500);
    const moved = (await queues.counts(url))[0] as number;
    expect(moved).toBeGreaterThan(3);
    const cancelled = await queues.client.send(new CancelMessageMoveTaskCommand({ TaskHandle }));
    expect(cancelled.ApproximateNumberOfMessagesMoved).toBe(moved);
    await queues.clock.advance(10_000);
    expect((await queues.counts(url))[0]).toBe(moved);
    expect(await tasks()).toMatchObject([{ Status: 'CANCELLED', MaxNumberOfMessagesPerSecond: 1 }]);
  });

  it('moves to another queue on request', async () => {
    await bury(1);
    const other = await queues.create('other');
    await start({ DestinationArn: queues.arn('other') });
    await queues.clock.advance(100);
    expect(await queues.bodies(other)).toEqual(['m0']);
  });

  it('fails when the destination queue no longer exists, and keeps the messages', async () => {
    const { url, deadLetters } = await bury(2);
    await start({ MaxNumberOfMessagesPerSecond: 1 });
    await queues.client.send(new DeleteQueueCommand({ QueueUrl: url }));
    await queues.clock.advance(5_000);
    expect(await tasks()).toMatchObject([
      { Status: 'FAILED', FailureReason: 'AWS.SimpleQueueService.NonExistentQueue' },
    ]);
    expect((await queues.counts(deadLetters))[0]).toBe(2);
  });

  it('is rejected for other queues than dead-letter queues and for missing ones', async () => {
    await expect(start()).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: "The resource that you specified for the SourceArn parameter doesn't exist.",
    });
    await queues.create('orders-dead');
    await expect(start()).rejects.toMatchObject({
      message: 'Source queue must be configured as a Dead Letter Queue.',
    });
    await expect(start({ DestinationArn: queues.arn('nowhere') })).rejects.toMatchObject({
      message: "The resource that you specified for the DestinationArn parameter doesn't exist.",
    });
    const cancel = queues.client.send(new CancelMessageMoveTaskCommand({ TaskHandle: 'nonsense' }));
    await expect(cancel).rejects.toMatchObject({ message: 'Value for parameter TaskHandle is invalid.' });
  });
});
