import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReceivedMessages } from '../../../../functions/events/workers/deliver-webhook/received.ts';
import { LocalCloud } from '../../../../packages/local-cloud/index.ts';
import { LOCAL_ACCESS } from '../../../support/local-table.ts';

let folder: string;
let cloud: LocalCloud;
let sqs: SQSClient;
let urls: { main: string; slow: string };
let received: ReceivedMessages;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'analytics-received-'));
  cloud = await LocalCloud.open({ dataDir: folder, port: 0 });
  sqs = new SQSClient({ endpoint: cloud.endpoint, ...LOCAL_ACCESS });
  const create = async (QueueName: string) => (await sqs.send(new CreateQueueCommand({ QueueName }))).QueueUrl!;
  urls = { main: await create('deliveries'), slow: await create('slow-deliveries') };
  received = new ReceivedMessages(urls, sqs);
});
afterAll(async () => {
  sqs.destroy();
  await cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('messages that a sender takes by itself', () => {
  it('are those of their lane, come again when they are given back, and are gone when they are deleted', async () => {
    for (const MessageBody of ['a', 'b']) await sqs.send(new SendMessageCommand({ QueueUrl: urls.main, MessageBody }));
    const taken = await received.receive('main', 1);
    expect(taken.map(({ body }) => body).sort()).toEqual(['a', 'b']);
    for (const message of taken) expect(message).toMatchObject({ lane: 'main', receives: 1 });
    expect(await received.receive('slow', 0)).toEqual([]);

    await received.receiveAgainAfter(taken[0]!, 0);
    await received.delete([taken[1]!]);
    const again = await received.receive('main', 1);
    expect(again).toMatchObject([{ id: taken[0]!.id, body: taken[0]!.body, receives: 2 }]);
    await received.delete(again);
    expect(await received.receive('main', 0)).toEqual([]);
  });

  it('are attributed to their queue when Lambda has received them', () => {
    const record = {
      messageId: 'id',
      body: '{}',
      receiptHandle: 'handle',
      eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:slow-deliveries',
      attributes: { ApproximateReceiveCount: '3' },
    } as Parameters<ReceivedMessages['ofRecord']>[0];
    expect(received.ofRecord(record)).toEqual({
      id: 'id',
      lane: 'slow',
      body: '{}',
      receiptHandle: 'handle',
      receives: 3,
    });
    const eventSourceARN = record.eventSourceARN.replace('slow-', '');
    expect(received.ofRecord({ ...record, eventSourceARN })).toMatchObject({ lane: 'main' });
  });
});
