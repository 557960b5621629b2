import { DeleteMessageCommand, type Message } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestQueues } from './support/test-queues.ts';

let queues: TestQueues;
beforeEach(async () => {
  queues = await TestQueues.start();
});
afterEach(() => queues.close());

const CONTENT_BASED = { ContentBasedDeduplication: 'true' };
const group = (MessageGroupId: string, MessageDeduplicationId?: string) => ({ MessageGroupId, MessageDeduplicationId });
const remove = (QueueUrl: string, message: Message | undefined) =>
  queues.client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle }));

describe('a FIFO queue', () => {
  it('delivers nothing more of a group while one of its messages is in flight', async () => {
    const url = await queues.create('steps.fifo', CONTENT_BASED);
    for (const body of ['a1', 'a2', 'b1']) await queues.send(url, body, group(body.slice(0, 1)));
    const [a1] = await queues.receive(url, { MaxNumberOfMessages: 1 });
    expect(a1?.Body).toBe('a1');
    expect(await queues.bodies(url)).toEqual(['b1']);
    await remove(url, a1);
    expect(await queues.bodies(url)).toEqual(['a2']);
  });

  it('delivers a returned message before the later ones of its group', async () => {
    const url = await queues.create('steps.fifo', CONTENT_BASED);
    for (const body of ['1', '2', '3']) await queues.send(url, body, group('a'));
    await queues.receive(url, { MaxNumberOfMessages: 2, VisibilityTimeout: 5 });
    await queues.clock.advance(5_000);
    expect(await queues.bodies(url)).toEqual(['1', '2', '3']);
  });

  it('numbers its messages in order and shows group, deduplication id and number', async () => {
    const url = await queues.create('steps.fifo');
    const first = await queues.send(url, 'one', group('a', 'id-1'));
    const second = await queues.send(url, 'two', group('a', 'id-2'));
    expect(String(second.SequenceNumber) > String(first.SequenceNumber)).toBe(true);
    expect(first.SequenceNumber).toHaveLength(20);
    const [message] = await queues.receive(url);
    expect(message?.Attributes).toMatchObject({
      MessageGroupId: 'a',
      MessageDeduplicationId: 'id-1',
      SequenceNumber: first.SequenceNumber,
    });
  });

  it('drops duplicates for five minutes, also after a restart and after the first was deleted', async () => {
    const url = await queues.create('steps.fifo');
    const first = await queues.send(url, 'one', group('a', 'same'));
    const [message] = await queues.receive(url);
    await remove(url, message);
    await queues.restart();
    await queues.clock.advance(299_999);
    const repeated = await queues.send(url, 'other body', group('b', 'same'));
    expect(repeated).toMatchObject({ MessageId: first.MessageId, SequenceNumber: first.SequenceNumber });
    expect(await queues.counts(url)).toEqual([0, 0, 0]);
    await queues.clock.advance(1);
    await queues.send(url, 'new', group('a', 'same'));
    expect(await queues.bodies(url)).toEqual(['new']);
  });

  it('deduplicates by content, and within a group alone when so set', async () => {
    const byQueue = await queues.create('by-queue.fifo', CONTENT_BASED);
    const byGroup = await queues.create('by-group.fifo', { ...CONTENT_BASED, DeduplicationScope: 'messageGroup' });
    for (const url of [byQueue, byGroup]) {
      for (const id of ['a', 'a', 'b']) await queues.send(url, 'same', group(id));
    }
    expect(await queues.bodies(byQueue)).toEqual(['same']);
    expect(await queues.bodies(byGroup)).toEqual(['same', 'same']);
  });

  it.each([
    ['no group', {}, 'MissingParameter', 'The request must contain the parameter MessageGroupId.'],
    [
      'neither id nor content-based deduplication',
      group('a'),
      'InvalidParameterValue',
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
    ],
    [
      'a delay of its own',
      { ...group('a', 'x'), DelaySeconds: 2 },
      'InvalidParameterValue',
      'Value 2 for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type.',
    ],
  ])('rejects a message with %s', async (_what, more, name, message) => {
    const url = await queues.create('steps.fifo');
    await expect(queues.send(url, 'x', more)).rejects.toMatchObject({ name, message });
  });

  it('rejects a delete with a receipt that has expired', async () => {
    const url = await queues.create('steps.fifo', CONTENT_BASED);
    await queues.send(url, 'one', group('a'));
    const [message] = await queues.receive(url, { VisibilityTimeout: 5 });
    await queues.clock.advance(5_000);
    await expect(remove(url, message)).rejects.toMatchObject({
      message: expect.stringContaining('The receipt handle has expired.'),
    });
    expect(await queues.counts(url)).toEqual([1, 0, 0]);
  });

  it('frees its group when a message goes to the dead-letter queue', async () => {
    const { url, deadLetters } = await queues.createWithDeadLetters('steps.fifo', 1);
    await queues.send(url, 'poison', group('a', '1'));
    await queues.send(url, 'good', group('a', '2'));
    await queues.receive(url, { MaxNumberOfMessages: 1, VisibilityTimeout: 0 });
    expect(await queues.bodies(url)).toEqual(['good']);
    expect(await queues.bodies(deadLetters)).toEqual(['poison']);
  });
});

describe('a standard queue with groups', () => {
  it('lets a quiet group pass the backlog of a noisy one', async () => {
    const url = await queues.create('fair');
    for (let index = 0; index < 60; index += 1) await queues.send(url, `noisy ${index}`, group('noisy'));
    await queues.send(url, 'quiet', group('quiet'));
    for (let taken = 0; taken < 30; taken += 10) await queues.receive(url);
    const bodies = await queues.bodies(url);
    expect(bodies[0]).toBe('quiet');
    expect(bodies).toHaveLength(10);
  });
});
