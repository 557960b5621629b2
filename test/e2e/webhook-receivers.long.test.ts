import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { workspaceKey } from '../../shared/platform/storage/keys.ts';
import { openTable } from '../../shared/platform/storage/table.ts';
import { updateOf } from '../../shared/platform/storage/update.ts';
import { openReceiver } from '../support/receiver.ts';
import { emitEvents, givenWebhook, settledDeliveries } from './given-deliveries.ts';
import { usePlatform } from './use-platform.ts';

const LONG_MS = 150_000;

const under = usePlatform();

const client = () => ({
  endpoint: under.platform.credentials.baseUrl,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

/** A receiver that answers as configured; its URL. */
async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    answer(response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('a receiver', () => {
  it('has ten seconds for its answer and not a moment more', async () => {
    const answeringAfter = (milliseconds: number) =>
      serve(async (response) => {
        await sleep(milliseconds);
        response.writeHead(200).end();
      });
    const inTime = await givenWebhook(under.platform, await answeringAfter(9_900));
    const late = await givenWebhook(under.platform, await answeringAfter(10_100));
    await Promise.all([emitEvents(under.platform, inTime, 1), emitEvents(under.platform, late, 1)]);
    const [delivered, failed] = await Promise.all([
      settledDeliveries(under.platform, inTime, 1, LONG_MS),
      settledDeliveries(under.platform, late, 1, LONG_MS),
    ]);
    expect(delivered).toMatchObject([{ status: 'delivered', attempts: 1 }]);
    expect(failed).toMatchObject([
      { status: 'failed', attempts: 5, responseStatus: null, lastError: 'no complete response within 10000 ms' },
    ]);
  }, 200_000);

  it('has 64 KiB for what it says, and is not heard to the end beyond that', async () => {
    let closed = 0;
    let written = 0;
    const url = await serve((response) => {
      response.writeHead(200);
      const block = Buffer.alloc(16 * 1024, 'x');
      const timer = setInterval(() => {
        written += block.length;
        response.write(block);
      }, 2);
      response.once('close', () => {
        clearInterval(timer);
        closed += 1;
      });
    });
    const webhook = await givenWebhook(under.platform, url);
    await emitEvents(under.platform, webhook, 1);
    expect(await settledDeliveries(under.platform, webhook, 1, LONG_MS)).toMatchObject([
      { status: 'delivered', attempts: 1, responseStatus: 200 },
    ]);
    await vi.waitFor(() => expect(closed).toBe(1), { timeout: 60_000 });
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('a webhook that works', () => {
  it('is not kept waiting by sixty others of its workspace that begin to hang', async () => {
    let [hangs, hanging, givenUp] = [false, 0, 0];
    const hole = await serve((response) => {
      if (!hangs) return void response.writeHead(200).end();
      hanging += 1;
      response.once('close', () => {
        givenUp += 1;
      });
    });
    const { platform } = under;
    const receiver = await openReceiver();
    const works = await givenWebhook(platform, receiver.url);
    const others: string[] = [];
    while (others.length < 60) others.push(await givenWebhook(platform, hole));
    for (const id of [works, ...others]) await emitEvents(platform, id, 1);
    for (const id of [works, ...others]) await settledDeliveries(platform, id, 1, LONG_MS);

    hangs = true;
    await Promise.all(others.map((id) => emitEvents(platform, id, 1)));
    await vi.waitFor(() => expect(hanging).toBe(others.length), { timeout: 30_000 });
    await emitEvents(platform, works, 20);
    await receiver.waitFor(21);
    // Each has ten seconds: no delivery waits for the end of another.
    expect(givenUp).toBe(0);
    await receiver.close();
  }, 240_000);
});

describe('a delivery that its sender cannot even prepare', () => {
  it('fails after five receives, ends in the dead letters, and stops no other', async () => {
    const receiver = await openReceiver();
    const [poisoned, well] = [
      await givenWebhook(under.platform, receiver.url),
      await givenWebhook(under.platform, receiver.url),
    ];
    const db = new DynamoDBClient(client());
    const { TableNames = [] } = await db.send(new ListTablesCommand({}));
    const table = openTable(TableNames[0]!, db);
    const key = workspaceKey(under.platform.credentials.workspaceId, 'WEBHOOK', poisoned);
    await table.db.send(new UpdateCommand(updateOf(table, key, { set: { sealedSecret: 'nothing that opens' } })));

    await emitEvents(under.platform, poisoned, 1);
    await emitEvents(under.platform, well, 3);
    for (const delivery of await settledDeliveries(under.platform, well, 3, LONG_MS)) {
      expect(delivery).toMatchObject({ status: 'delivered', attempts: 1 });
    }
    const [failed] = await settledDeliveries(under.platform, poisoned, 1, LONG_MS);
    expect(failed).toMatchObject({
      status: 'failed',
      errorCode: 'ATTEMPTS_EXHAUSTED',
      attempts: 0,
      lastError: expect.stringContaining('the delivery cannot be prepared'),
    });
    expect(receiver.received).toHaveLength(3);

    // An alarm watches that queue (`test/infra`).
    const sqs = new SQSClient(client());
    const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
    const QueueUrl = QueueUrls.find((url) => url.includes('QueuesDeliveriesDeadLetters'));
    await vi.waitFor(
      async () => {
        const asked = { QueueUrl, AttributeNames: ['ApproximateNumberOfMessages' as const] };
        const { Attributes } = await sqs.send(new GetQueueAttributesCommand(asked));
        expect(Attributes).toMatchObject({ ApproximateNumberOfMessages: '1' });
      },
      { timeout: 60_000, interval: 500 },
    );
    await receiver.close();
    sqs.destroy();
    db.destroy();
  }, 240_000);
});
