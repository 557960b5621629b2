import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ROOT } from '../../core/access/principal.ts';
import { TestQueues } from './support/test-queues.ts';

/** Only the test moves the clock, so a wait ends only because of an event on the queue. */
let queues: TestQueues;
beforeEach(async () => {
  queues = await TestQueues.start();
});
afterEach(() => queues.close());

const LONG = { WaitTimeSeconds: 20 };
const visible = async (url: string) => (await queues.counts(url))[0];

describe('a long poll', () => {
  it('ends at once when a message is sent', async () => {
    const url = await queues.create('orders');
    const poll = queues.bodies(url, LONG);
    await visible(url);
    await queues.send(url, 'now');
    expect(await poll).toEqual(['now']);
  });

  it('ends with a message that a delay or a visibility timeout releases', async () => {
    const url = await queues.create('orders');
    await queues.send(url, 'later', { DelaySeconds: 5 });
    const poll = queues.bodies(url, LONG);
    await visible(url);
    await queues.clock.advance(5_000);
    expect(await poll).toEqual(['later']);
    const next = queues.bodies(url, LONG);
    await visible(url);
    await queues.clock.advance(30_000 - 10_000);
    expect(await next).toEqual([]);
    await queues.clock.advance(10_000);
    expect(await queues.bodies(url)).toEqual(['later']);
  });

  it('ends when a receiver returns its message', async () => {
    const url = await queues.create('orders');
    await queues.send(url, 'one');
    const [held] = await queues.receive(url);
    const poll = queues.bodies(url, LONG);
    await visible(url);
    const back = { QueueUrl: url, ReceiptHandle: held?.ReceiptHandle, VisibilityTimeout: 0 };
    await queues.client.send(new ChangeMessageVisibilityCommand(back));
    expect(await poll).toEqual(['one']);
  });

  it('ends when the group of a FIFO queue becomes free', async () => {
    const url = await queues.create('steps.fifo', { ContentBasedDeduplication: 'true' });
    for (const body of ['1', '2']) await queues.send(url, body, { MessageGroupId: 'a' });
    const [first] = await queues.receive(url, { MaxNumberOfMessages: 1 });
    const poll = queues.bodies(url, LONG);
    await visible(url);
    await queues.client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: first?.ReceiptHandle }));
    expect(await poll).toEqual(['2']);
  });

  it('on a dead-letter queue ends when a message is moved there', async () => {
    const { url, deadLetters } = await queues.createWithDeadLetters('orders', 1);
    await queues.send(url, 'poison');
    await queues.receive(url, { VisibilityTimeout: 0 });
    const poll = queues.bodies(deadLetters, LONG);
    await visible(deadLetters);
    await queues.receive(url);
    expect(await poll).toEqual(['poison']);
  });

  it("waits for the queue's time if the caller gives none", async () => {
    const url = await queues.create('orders', { ReceiveMessageWaitTimeSeconds: '3' });
    const poll = queues.bodies(url);
    await visible(url);
    await queues.clock.advance(3_000);
    expect(await poll).toEqual([]);
  });

  it('fails if the queue is deleted in the meantime', async () => {
    const url = await queues.create('orders');
    const poll = queues.bodies(url, LONG);
    const outcome = expect(poll).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
    await visible(url);
    await queues.client.send(new DeleteQueueCommand({ QueueUrl: url }));
    await outcome;
  });

  it('takes no message once its caller has disconnected', async () => {
    const url = await queues.create('orders');
    const caller = new AbortController();
    const command = new ReceiveMessageCommand({ QueueUrl: url, ...LONG });
    const poll = queues.client.send(command, { abortSignal: caller.signal });
    await visible(url);
    caller.abort();
    await expect(poll).rejects.toMatchObject({ name: 'AbortError' });
    // The next call is sent after the previous connection has closed.
    await visible(url);
    await queues.send(url, 'kept');
    expect(await queues.counts(url)).toEqual([1, 0, 0]);
  });
});

describe('the port for other services', () => {
  it('wakes a waiting receiver as soon as something is sent', async () => {
    await queues.create('orders');
    const queueArn = queues.arn('orders');
    const waiting = queues.sqs.receive({ caller: ROOT, queueArn, max: 10, waitMs: 20_000 });
    const { messageId } = await queues.sqs.send({ caller: ROOT, queueArn, body: 'ping', messageGroupId: 'tenant-1' });
    expect(await waiting).toMatchObject([
      { messageId, body: 'ping', attributes: { ApproximateReceiveCount: '1', MessageGroupId: 'tenant-1' } },
    ]);
  });

  it('misses no message that becomes visible during a receive', async () => {
    await queues.create('orders');
    const queueArn = queues.arn('orders');
    for (let ahead = 0; ahead < 8; ahead += 1) {
      await queues.sqs.send({ caller: ROOT, queueArn, body: `${ahead}`, delaySeconds: 1 });
      await queues.clock.advance(1_000 - ahead);
      // Each reading of the clock takes a millisecond, so that one is just before and the next just after.
      const standing = queues.clock.now();
      let looks = 0;
      const ticking = vi.spyOn(queues.clock, 'now').mockImplementation(() => standing + looks++);
      const waiting = queues.sqs.receive({ caller: ROOT, queueArn, max: 1, waitMs: 20_000 });
      ticking.mockRestore();
      await queues.clock.advance(100);
      const [message] = await Promise.race([waiting, queues.clock.advance(1).then(() => [])]);
      expect(message).toMatchObject({ body: `${ahead}` });
      await queues.sqs.delete({ caller: ROOT, queueArn, receiptHandle: message?.receiptHandle ?? '' });
    }
  });

  it('stops waiting on abort, deletes, returns messages and reads attributes', async () => {
    const url = await queues.create('orders');
    const queueArn = queues.arn('orders');
    const stop = new AbortController();
    const waiting = queues.sqs.receive({ caller: ROOT, queueArn, max: 1, waitMs: 20_000, signal: stop.signal });
    stop.abort();
    expect(await waiting).toEqual([]);
    await queues.sqs.send({ caller: ROOT, queueArn, body: 'one', delaySeconds: 1 });
    await queues.clock.advance(1_000);
    const [first] = await queues.sqs.receive({ caller: ROOT, queueArn, max: 1, waitMs: 0, visibilitySeconds: 5 });
    await queues.sqs.changeVisibility({
      caller: ROOT,
      queueArn,
      receiptHandle: first?.receiptHandle ?? '',
      seconds: 0,
    });
    const [second] = await queues.sqs.receive({ caller: ROOT, queueArn, max: 1, waitMs: 0 });
    await queues.sqs.delete({ caller: ROOT, queueArn, receiptHandle: second?.receiptHandle ?? '' });
    expect(await queues.counts(url)).toEqual([0, 0, 0]);
    expect(await queues.sqs.attributes(queueArn)).toMatchObject({ VisibilityTimeout: '30' });
  });

  it('rejects an unknown queue', async () => {
    const queueArn = queues.arn('nowhere');
    await expect(queues.sqs.send({ caller: ROOT, queueArn, body: 'x' })).rejects.toMatchObject({
      code: 'QueueDoesNotExist',
    });
    expect(await queues.sqs.attributes(queueArn)).toBeUndefined();
  });
});
