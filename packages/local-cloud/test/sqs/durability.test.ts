import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT } from '../../core/access/principal.ts';
import { ManualClock } from '../../core/clock.ts';
import { createSqs } from '../../services/sqs/sqs.ts';
import { TestFront } from './support/test-front.ts';

let front: TestFront;
let server: ChildProcess;
beforeEach(() => {
  // The data of the killed process is opened on a manual clock one minute ahead.
  front = new TestFront(new ManualClock(Date.now() + 60_000));
});
afterEach(async () => {
  server.kill('SIGKILL');
  await front.close();
  rmSync(front.dataDir, { recursive: true, force: true });
});

async function serve(): Promise<SQSClient> {
  const script = new URL('./support/queue-server.ts', import.meta.url).pathname;
  server = spawn(process.execPath, [script, front.dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [endpoint] = await once(createInterface({ input: server.stdout as NodeJS.ReadableStream }), 'line');
  return new SQSClient({ ...front.clientConfig, endpoint });
}

it('a queue killed under load has every acknowledged send, delete, delay and visibility', async () => {
  const client = await serve();
  const QueueUrl = (await client.send(new CreateQueueCommand({ QueueName: 'load' }))).QueueUrl;
  const delayed = await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'delayed', DelaySeconds: 900 }));

  const sent = new Set<string>();
  const deleting = new Set<string>();
  const deleted = new Set<string>();
  const held = new Set<string>();
  const sender = async (name: number) => {
    for (let index = 0; ; index += 1) {
      const Entries = [0, 1, 2].map((part) => ({ Id: `${part}`, MessageBody: `${name}/${index}/${part}` }));
      const reply = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
      for (const { MessageId } of reply.Successful ?? []) sent.add(MessageId as string);
      if (sent.size > 600) server.kill('SIGKILL');
    }
  };
  const receiver = async () => {
    for (;;) {
      const receive = new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 3600, WaitTimeSeconds: 1 });
      const [message] = (await client.send(receive)).Messages ?? [];
      if (!message) continue;
      const id = message.MessageId as string;
      held.add(id);
      if (held.size % 2 === 0) continue;
      deleting.add(id);
      await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
      deleted.add(id);
    }
  };
  await Promise.allSettled([sender(1), sender(2), sender(3), receiver(), receiver()]);
  expect(sent.size).toBeGreaterThan(600);
  expect(deleted.size).toBeGreaterThan(5);

  await front.listen();
  const sqs = front.add(createSqs(front.context('sqs')));
  const queueArn = 'arn:aws:sqs:us-east-1:000000000000:load';
  const drain = async () => {
    const ids = new Set<string>();
    for (;;) {
      const messages = await sqs.receive({ caller: ROOT, queueArn, max: 10, waitMs: 0, visibilitySeconds: 43_200 });
      if (messages.length === 0) return ids;
      for (const { messageId } of messages) ids.add(messageId);
    }
  };

  const visible = await drain();
  expect([...held].filter((id) => visible.has(id))).toEqual([]);
  expect(visible.has(delayed.MessageId as string)).toBe(false);

  await (front.clock as ManualClock).advance(3_700_000);
  const later = await drain();
  expect([...held].filter((id) => !deleting.has(id) && !later.has(id))).toEqual([]);
  // A message may have been received without its receiver's knowledge: it returns like any other.
  expect([...sent].filter((id) => !visible.has(id) && !later.has(id) && !deleting.has(id))).toEqual([]);
  expect([...deleted].filter((id) => visible.has(id) || later.has(id))).toEqual([]);
  expect(later.has(delayed.MessageId as string)).toBe(true);

  const reopened = new SQSClient(front.clientConfig);
  const found = await reopened.send(new GetQueueUrlCommand({ QueueName: 'load' }));
  expect(found.QueueUrl).toBe(`${front.endpoint}/000000000000/load`);
});
