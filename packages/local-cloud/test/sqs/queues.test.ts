import {
  AddPermissionCommand,
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListDeadLetterSourceQueuesCommand,
  ListQueuesCommand,
  ListQueueTagsCommand,
  PurgeQueueCommand,
  SetQueueAttributesCommand,
  TagQueueCommand,
  UntagQueueCommand,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestQueues } from './support/test-queues.ts';

let queues: TestQueues;
beforeEach(async () => {
  queues = await TestQueues.start();
});
afterEach(() => queues.close());

describe('queues', () => {
  it('have the URL of account and name, and the attributes of AWS by default', async () => {
    const url = await queues.create('orders');
    expect(url).toBe(`${queues.front.endpoint}/000000000000/orders`);
    expect(await queues.attributes(url)).toEqual({
      QueueArn: queues.arn('orders'),
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesNotVisible: '0',
      ApproximateNumberOfMessagesDelayed: '0',
      CreatedTimestamp: '1767225600',
      LastModifiedTimestamp: '1767225600',
      DelaySeconds: '0',
      MaximumMessageSize: '1048576',
      MessageRetentionPeriod: '345600',
      ReceiveMessageWaitTimeSeconds: '0',
      VisibilityTimeout: '30',
      SqsManagedSseEnabled: 'true',
    });
  });

  it('are created again with the same attributes without effect, and rejected with others', async () => {
    const url = await queues.create('orders', { VisibilityTimeout: '60' });
    expect(await queues.create('orders', { VisibilityTimeout: '60' })).toBe(url);
    expect(await queues.create('orders')).toBe(url);
    await expect(queues.create('orders', { VisibilityTimeout: '61' })).rejects.toMatchObject({
      name: 'QueueNameExists',
      message: 'A queue already exists with the same name and a different value for attribute VisibilityTimeout',
    });
    expect(await queues.attributes(url)).toMatchObject({ VisibilityTimeout: '60' });
  });

  it('keep their URL working after a restart on another port', async () => {
    const url = await queues.create('orders');
    await queues.send(url, 'before');
    await queues.restart();
    expect(url).not.toContain(queues.front.endpoint);
    await queues.send(url, 'after');
    expect(await queues.bodies(url)).toEqual(['before', 'after']);
  });

  it.each([
    ['not a URL', 'orders', 'InvalidAddress'],
    ['of an unknown queue', 'http://127.0.0.1/000000000000/nowhere', 'QueueDoesNotExist'],
    ['of another account', 'http://127.0.0.1/111111111111/orders', 'QueueDoesNotExist'],
  ])('are rejected by an address that is %s', async (_what, url, name) => {
    await queues.create('orders');
    await expect(queues.send(url, 'lost')).rejects.toMatchObject({ name });
  });

  it("report the older protocol's error code in addition to the new one", async () => {
    const missing = queues.client.send(new GetQueueUrlCommand({ QueueName: 'nowhere' }));
    await expect(missing).rejects.toMatchObject({
      name: 'QueueDoesNotExist',
      Code: 'AWS.SimpleQueueService.NonExistentQueue',
      message: 'The specified queue does not exist.',
      $metadata: { httpStatusCode: 400 },
    });
  });

  it('are listed by prefix and page', async () => {
    for (const name of ['a-1', 'a-2', 'a-3', 'b-1']) await queues.create(name);
    const first = await queues.client.send(new ListQueuesCommand({ QueueNamePrefix: 'a-', MaxResults: 2 }));
    const second = await queues.client.send(
      new ListQueuesCommand({ QueueNamePrefix: 'a-', MaxResults: 2, NextToken: first.NextToken }),
    );
    const names = [first, second].map((page) => page.QueueUrls?.map((url) => url.split('/').at(-1)));
    expect(names).toEqual([['a-1', 'a-2'], ['a-3']]);
    expect(second.NextToken).toBeUndefined();
  });

  it('carry tags', async () => {
    const QueueUrl = (await queues.client.send(new CreateQueueCommand({ QueueName: 'tagged', tags: { team: 'data' } })))
      .QueueUrl;
    await queues.client.send(new TagQueueCommand({ QueueUrl, Tags: { stage: 'test' } }));
    await queues.client.send(new UntagQueueCommand({ QueueUrl, TagKeys: ['team'] }));
    await queues.restart();
    expect((await queues.client.send(new ListQueueTagsCommand({ QueueUrl }))).Tags).toEqual({ stage: 'test' });
  });

  it('lose their messages when deleted, and their name is free after a minute', async () => {
    const url = await queues.create('orders');
    await queues.send(url, 'old');
    await queues.client.send(new DeleteQueueCommand({ QueueUrl: url }));
    await expect(queues.send(url, 'late')).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
    await expect(queues.create('orders')).rejects.toMatchObject({ name: 'QueueDeletedRecently' });
    await queues.clock.advance(60_000);
    expect(await queues.bodies(await queues.create('orders'))).toEqual([]);
  });

  it('are purged at most once a minute', async () => {
    const url = await queues.create('orders');
    await queues.send(url, 'old');
    await queues.client.send(new PurgeQueueCommand({ QueueUrl: url }));
    expect(await queues.counts(url)).toEqual([0, 0, 0]);
    const again = queues.client.send(new PurgeQueueCommand({ QueueUrl: url }));
    await expect(again).rejects.toMatchObject({
      name: 'PurgeQueueInProgress',
      message: 'Only one PurgeQueue operation on orders is allowed every 60 seconds.',
    });
  });

  it.each([
    [{ VisibilityTimeout: '43201' }, 'InvalidAttributeValue', 'Invalid value for the parameter VisibilityTimeout.'],
    [{ DelaySeconds: '901' }, 'InvalidAttributeValue', 'Invalid value for the parameter DelaySeconds.'],
    [{ Colour: 'red' }, 'InvalidAttributeName', 'Unknown Attribute Colour.'],
    [{ ContentBasedDeduplication: 'true' }, 'InvalidAttributeName', 'Unknown Attribute ContentBasedDeduplication.'],
    [
      { DeduplicationScope: 'queue' },
      'InvalidAttributeName',
      'You can specify the DeduplicationScope only when FifoQueue is set to true.',
    ],
    [{ KmsMasterKeyId: 'alias/mine' }, 'UnsupportedOperation', 'KmsMasterKeyId'],
    [{ RedrivePolicy: 'nonsense' }, 'InvalidAttributeValue', 'Invalid value for the parameter RedrivePolicy.'],
  ])('reject the attributes %j', async (attributes, name, message) => {
    await expect(queues.create('orders', attributes as unknown as Record<string, string>)).rejects.toMatchObject({
      name,
      message: expect.stringContaining(message),
    });
    const listed = await queues.client.send(new ListQueuesCommand({}));
    expect(listed.QueueUrls).toBeUndefined();
  });

  it('change their attributes, but never their type', async () => {
    const url = await queues.create('orders.fifo');
    const set = (Attributes: Record<string, string>) =>
      queues.client.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes }));
    await set({ VisibilityTimeout: '5', DelaySeconds: '1' });
    expect(await queues.attributes(url)).toMatchObject({ VisibilityTimeout: '5', DelaySeconds: '1' });
    await expect(set({ FifoQueue: 'false' })).rejects.toMatchObject({ name: 'InvalidAttributeValue' });
    await expect(set({ QueueArn: 'x' })).rejects.toMatchObject({ name: 'InvalidAttributeName' });
  });

  it('reject reading an unknown attribute', async () => {
    const QueueUrl = await queues.create('orders');
    const read = queues.client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['Colour' as 'All'] }));
    await expect(read).rejects.toMatchObject({ name: 'InvalidAttributeName', message: 'Unknown Attribute Colour.' });
  });

  it('reject unsupported members by name', async () => {
    const QueueUrl = await queues.create('orders');
    const permission = { QueueUrl, Label: 'all', AWSAccountIds: ['1'], Actions: ['SendMessage'] };
    await expect(queues.client.send(new AddPermissionCommand(permission))).rejects.toMatchObject({
      name: 'UnsupportedOperationException',
      message: expect.stringContaining('AddPermission'),
    });
    await expect(queues.receive(QueueUrl, { ReceiveRequestAttemptId: 'again' })).rejects.toMatchObject({
      name: 'UnsupportedOperation',
      message: expect.stringContaining('ReceiveRequestAttemptId'),
    });
  });
});

describe('redrive policies', () => {
  it('name the sources of a dead-letter queue', async () => {
    const { url, deadLetters } = await queues.createWithDeadLetters('orders', 3);
    const sources = await queues.client.send(new ListDeadLetterSourceQueuesCommand({ QueueUrl: deadLetters }));
    expect(sources.queueUrls).toEqual([url]);
  });

  it('need an existing queue of the same type that allows this source', async () => {
    await queues.create('closed', { RedriveAllowPolicy: JSON.stringify({ redrivePermission: 'denyAll' }) });
    await queues.create('dead.fifo');
    const allowed = { redrivePermission: 'byQueue', sourceQueueArns: [queues.arn('friend')] };
    await queues.create('choosy', { RedriveAllowPolicy: JSON.stringify(allowed) });
    const attempt = (name: string, target: string) =>
      queues.create(name, {
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: queues.arn(target), maxReceiveCount: 2 }),
      });
    for (const target of ['nowhere', 'closed', 'dead.fifo', 'choosy']) {
      await expect(attempt('stranger', target)).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    }
    await expect(attempt('friend', 'choosy')).resolves.toContain('/friend');
  });
});
