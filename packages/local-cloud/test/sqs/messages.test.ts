import {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  type Message,
  SendMessageBatchCommand,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestQueues } from './support/test-queues.ts';

let queues: TestQueues;
beforeEach(async () => {
  queues = await TestQueues.start();
});
afterEach(() => queues.close());

const text = (StringValue: string) => ({ DataType: 'String', StringValue });
const remove = (QueueUrl: string, message: Message | undefined) =>
  queues.client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle }));
const hide = (QueueUrl: string, message: Message | undefined, VisibilityTimeout: number) =>
  queues.client.send(
    new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle, VisibilityTimeout }),
  );

describe('a message', () => {
  it('arrives as it was sent, with checksums and the requested attributes', async () => {
    const url = await queues.create('orders');
    const MessageAttributes = {
      'trace.id': text('abc'),
      'trace.depth': { DataType: 'Number.int', StringValue: '42' },
      raw: { DataType: 'Binary', BinaryValue: Buffer.from([0, 1, 255]) },
    };
    const sent = await queues.send(url, 'Zażółć 🐝', { MessageAttributes, MessageGroupId: 'tenant-1' });
    expect(sent.MD5OfMessageAttributes).toMatch(/^[0-9a-f]{32}$/);
    await queues.clock.advance(1500);
    const [message] = await queues.receive(url, { MessageAttributeNames: ['All'] });
    expect(message).toMatchObject({
      MessageId: sent.MessageId,
      Body: 'Zażółć 🐝',
      MD5OfBody: sent.MD5OfMessageBody,
      MD5OfMessageAttributes: sent.MD5OfMessageAttributes,
      Attributes: {
        SenderId: '000000000000',
        SentTimestamp: '1767225600000',
        ApproximateFirstReceiveTimestamp: '1767225601500',
        ApproximateReceiveCount: '1',
        MessageGroupId: 'tenant-1',
      },
    });
    expect(message?.MessageAttributes?.raw?.BinaryValue).toEqual(new Uint8Array([0, 1, 255]));
    await hide(url, message, 0);
    const [part] = await queues.receive(url, { MessageAttributeNames: ['trace.*'], MessageSystemAttributeNames: [] });
    expect(Object.keys(part?.MessageAttributes ?? {}).sort()).toEqual(['trace.depth', 'trace.id']);
    expect(part?.Attributes).toBeUndefined();
  });

  it('has the attribute checksum of AWS', async () => {
    const url = await queues.create('orders');
    const sent = await queues.send(url, 'message-1', { MessageAttributes: { MyAttribute: text('foobar') } });
    // The pair was recorded from AWS.
    expect(sent).toMatchObject({
      MD5OfMessageBody: '3d6b824fd8c1520e9a047d21fee6fb1f',
      MD5OfMessageAttributes: 'adb59cd4678ea5a855436b949cd07ab6',
    });
  });

  it.each([
    ['an empty body', '', {}, 'MissingParameter', 'The request must contain the parameter MessageBody.'],
    ['control characters', 'a\u0001', {}, 'InvalidMessageContents', 'Invalid characters found.'],
    [
      'an empty attribute',
      'a',
      { MessageAttributes: { ErrorDetails: text('') } },
      'InvalidParameterValue',
      "Message (user) attribute 'ErrorDetails' must contain a non-empty value of type 'String'.",
    ],
    [
      'an attribute of unknown type',
      'a',
      { MessageAttributes: { x: { DataType: 'Boolean', StringValue: 'true' } } },
      'InvalidParameterValue',
      "The type of message (user) attribute 'x' is invalid.",
    ],
    [
      'a reserved attribute name',
      'a',
      { MessageAttributes: { 'AWS.x': text('1') } },
      'InvalidParameterValue',
      "attribute name 'AWS.x' is invalid",
    ],
    ['a delay above 15 minutes', 'a', { DelaySeconds: 901 }, 'InvalidParameterValue', 'Value 901 for parameter'],
    [
      'a deduplication id on a standard queue',
      'a',
      { MessageDeduplicationId: 'x' },
      'InvalidParameterValue',
      'The request includes a parameter that is not valid for this queue type.',
    ],
    [
      'a group with a space',
      'a',
      { MessageGroupId: 'group 123' },
      'InvalidParameterValue',
      'MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length.',
    ],
  ])('with %s is rejected and not stored', async (_what, body, more, name, message) => {
    const url = await queues.create('orders');
    await expect(queues.send(url, body, more)).rejects.toMatchObject({
      name,
      message: expect.stringContaining(message),
    });
    expect(await queues.counts(url)).toEqual([0, 0, 0]);
  });

  it('may be 1 MiB long, attributes included, and not a byte more', async () => {
    const url = await queues.create('orders');
    const attributes = { MessageAttributes: { n: text('v') } };
    const remaining = 1_048_576 - 'n'.length - 'String'.length - 'v'.length;
    await queues.send(url, 'x'.repeat(remaining), attributes);
    await expect(queues.send(url, 'x'.repeat(remaining + 1), attributes)).rejects.toMatchObject({
      message: 'One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.',
    });
    const [message] = await queues.receive(url);
    expect(message?.Body).toHaveLength(remaining);
  });

  it('is hidden for the visibility timeout and then comes back with a higher count', async () => {
    const url = await queues.create('orders', { VisibilityTimeout: '30' });
    await queues.send(url, 'one');
    await queues.receive(url);
    expect(await queues.counts(url)).toEqual([0, 1, 0]);
    await queues.clock.advance(29_999);
    expect(await queues.bodies(url)).toEqual([]);
    await queues.clock.advance(1);
    const [again] = await queues.receive(url);
    expect(again?.Attributes?.ApproximateReceiveCount).toBe('2');
  });

  it('stays hidden as long as its receiver requests, at most 12 hours after the receive', async () => {
    const url = await queues.create('orders');
    await queues.send(url, 'one');
    const [held] = await queues.receive(url, { VisibilityTimeout: 10 });
    await queues.clock.advance(5_000);
    await hide(url, held, 60);
    await queues.clock.advance(59_999);
    expect(await queues.bodies(url)).toEqual([]);
    await expect(hide(url, held, 43_200)).rejects.toMatchObject({
      message: 'Total VisibilityTimeout for the message is beyond the limit [43200 seconds]',
    });
    await queues.clock.advance(1);
    await expect(hide(url, held, 10)).rejects.toMatchObject({
      message: expect.stringContaining('Message does not exist or is not available for visibility timeout change.'),
    });
    expect(await queues.bodies(url)).toEqual(['one']);
  });

  it('is delayed by its own delay or else by the delay of the queue', async () => {
    const url = await queues.create('orders', { DelaySeconds: '10' });
    await queues.send(url, 'queue');
    await queues.send(url, 'own', { DelaySeconds: 900 });
    await queues.send(url, 'none', { DelaySeconds: 0 });
    expect(await queues.counts(url)).toEqual([1, 0, 2]);
    expect(await queues.bodies(url)).toEqual(['none']);
    await queues.clock.advance(10_000);
    expect(await queues.bodies(url)).toEqual(['queue']);
    await queues.clock.advance(890_000);
    expect(await queues.bodies(url, { VisibilityTimeout: 0 })).toContain('own');
  });

  it('is deleted by the newest receipt only', async () => {
    const url = await queues.create('orders');
    await queues.send(url, 'one');
    const [first] = await queues.receive(url, { VisibilityTimeout: 0 });
    const [second] = await queues.receive(url);
    await remove(url, first);
    expect(await queues.counts(url)).toEqual([0, 1, 0]);
    await remove(url, second);
    await remove(url, second);
    expect(await queues.counts(url)).toEqual([0, 0, 0]);
  });

  it('is unaffected by a receipt of another queue', async () => {
    const url = await queues.create('orders');
    await queues.send(url, 'one');
    const [message] = await queues.receive(url);
    const other = await queues.create('other');
    await expect(remove(other, message)).rejects.toMatchObject({ name: 'ReceiptHandleIsInvalid' });
    await expect(remove(url, { ReceiptHandle: 'nonsense' })).rejects.toMatchObject({ name: 'ReceiptHandleIsInvalid' });
    expect(await queues.counts(url)).toEqual([0, 1, 0]);
  });

  it('is deleted after the retention period', async () => {
    const url = await queues.create('orders', { MessageRetentionPeriod: '60' });
    await queues.send(url, 'one');
    await queues.clock.advance(59_999);
    expect(await queues.counts(url)).toEqual([1, 0, 0]);
    await queues.clock.advance(1);
    expect(await queues.counts(url)).toEqual([0, 0, 0]);
    expect(await queues.bodies(url)).toEqual([]);
  });

  it('moves to the dead-letter queue after its maximum receives', async () => {
    const { url, deadLetters } = await queues.createWithDeadLetters('orders', 2);
    const sent = await queues.send(url, 'poison', { MessageAttributes: { why: text('bad') } });
    for (let receive = 0; receive < 2; receive += 1) {
      expect(await queues.bodies(url, { VisibilityTimeout: 0 })).toEqual(['poison']);
    }
    expect(await queues.bodies(url)).toEqual([]);
    const [dead] = await queues.receive(deadLetters, { MessageAttributeNames: ['All'] });
    expect(dead).toMatchObject({
      MessageId: sent.MessageId,
      MessageAttributes: { why: text('bad') },
      Attributes: {
        ApproximateReceiveCount: '3',
        SentTimestamp: '1767225600000',
        DeadLetterQueueSourceArn: queues.arn('orders'),
      },
    });
  });

  it('keeps its retention from the first send in a dead-letter queue', async () => {
    const { url, deadLetters } = await queues.createWithDeadLetters('orders', 1);
    await queues.send(url, 'poison');
    await queues.clock.advance(345_000_000);
    await queues.receive(url, { VisibilityTimeout: 0 });
    await queues.receive(url);
    expect(await queues.counts(deadLetters)).toEqual([1, 0, 0]);
    await queues.clock.advance(600_000);
    expect(await queues.counts(deadLetters)).toEqual([0, 0, 0]);
  });
});

describe('batches', () => {
  const batch = (QueueUrl: string, bodies: Record<string, string>) =>
    queues.client.send(
      new SendMessageBatchCommand({
        QueueUrl,
        Entries: Object.entries(bodies).map(([Id, MessageBody]) => ({ Id, MessageBody })),
      }),
    );

  it('store valid entries and name invalid ones', async () => {
    const url = await queues.create('orders');
    const reply = await batch(url, { good: 'one', bad: 'a\u0001', fine: 'two' });
    expect(reply.Successful?.map(({ Id }) => Id)).toEqual(['good', 'fine']);
    expect(reply.Failed).toEqual([
      expect.objectContaining({ Id: 'bad', SenderFault: true, Code: 'InvalidMessageContents' }),
    ]);
    expect(await queues.bodies(url)).toEqual(['one', 'two']);
  });

  it.each([
    ['no entry', {}, 'EmptyBatchRequest'],
    [
      'eleven entries',
      Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`m${index}`, 'x'])),
      'TooManyEntriesInBatchRequest',
    ],
    ['an id with a space', { 'a b': 'x' }, 'InvalidBatchEntryId'],
    ['more than 1 MiB in all', { a: 'x'.repeat(600_000), b: 'x'.repeat(448_577) }, 'BatchRequestTooLong'],
  ])('with %s are rejected whole', async (_what, bodies, name) => {
    const url = await queues.create('orders');
    await expect(batch(url, bodies as Record<string, string>)).rejects.toMatchObject({ name });
    expect(await queues.counts(url)).toEqual([0, 0, 0]);
  });

  it('with the same id twice are rejected whole', async () => {
    const QueueUrl = await queues.create('orders');
    const Entries = ['one', 'two'].map((MessageBody) => ({ Id: 'same', MessageBody }));
    const twice = queues.client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    await expect(twice).rejects.toMatchObject({ name: 'BatchEntryIdsNotDistinct', message: 'Id same repeated.' });
  });

  it('delete and change visibility entry by entry', async () => {
    const QueueUrl = await queues.create('orders');
    await batch(QueueUrl, { a: 'one', b: 'two' });
    const [one, two] = await queues.receive(QueueUrl);
    const changed = await queues.client.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl,
        Entries: [
          { Id: 'two', ReceiptHandle: two?.ReceiptHandle, VisibilityTimeout: 0 },
          { Id: 'lost', ReceiptHandle: 'nonsense', VisibilityTimeout: 0 },
        ],
      }),
    );
    expect(changed.Successful).toEqual([{ Id: 'two' }]);
    expect(changed.Failed).toEqual([expect.objectContaining({ Id: 'lost', Code: 'ReceiptHandleIsInvalid' })]);
    const deleted = await queues.client.send(
      new DeleteMessageBatchCommand({ QueueUrl, Entries: [{ Id: 'one', ReceiptHandle: one?.ReceiptHandle }] }),
    );
    expect(deleted.Successful).toEqual([{ Id: 'one' }]);
    expect(await queues.counts(QueueUrl)).toEqual([1, 0, 0]);
  });
});

describe('a receive', () => {
  it.each([
    [{ MaxNumberOfMessages: 11 }, 'Value 11 for parameter MaxNumberOfMessages is invalid.'],
    [{ WaitTimeSeconds: 21 }, 'Value 21 for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20'],
    [{ VisibilityTimeout: 43_201 }, 'Value 43201 for parameter VisibilityTimeout is invalid.'],
  ])('with %j is rejected', async (input, message) => {
    const url = await queues.create('orders');
    await expect(queues.receive(url, input)).rejects.toMatchObject({ message: expect.stringContaining(message) });
  });

  it('takes at most the requested number of messages', async () => {
    const url = await queues.create('orders');
    for (const body of ['1', '2', '3']) await queues.send(url, body);
    expect(await queues.bodies(url, { MaxNumberOfMessages: 2 })).toEqual(['1', '2']);
  });
});
