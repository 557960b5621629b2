import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { FaultRule } from '../../packages/local-cloud/index.ts';
import { outboxItem } from '../../shared/domains/events/events/outbox.ts';
import { deliveryRepository } from '../../shared/domains/events/webhooks/deliveries.ts';
import { isOpen, type StoredDelivery } from '../../shared/domains/events/webhooks/records.ts';
import { newId } from '../../shared/platform/storage/ids.ts';
import { openTable, type Table } from '../../shared/platform/storage/table.ts';
import { StartedPlatform } from '../support/started-platform.ts';
import { openSoakReceiver } from './soak-receiver.ts';

/**
 * `npm run soak:webhooks [events]`: sends so many events while everything that can go wrong does, and counts what
 * arrived: each event at least once, under one id, in one sequence of bytes, signed, with five requests at most. It
 * says every ten seconds how far it is, and takes no more memory for more events than what it caches of each delivery.
 * Interrupted (SIGINT), it sends no more and counts what became of what it had sent.
 */
let events = Number(process.argv[2] ?? 3000);
/** At ten requests under way to each they bound nothing. */
const WEBHOOKS = 20;
/** So many deliveries may be under way before events wait for them. */
const MAX_UNDER_WAY = 2000;
/** The events of one transaction go to one webhook. */
const EVENTS_IN_A_TRANSACTION = 25;
const EMITTERS = 4;
/** What is under way when the last event is emitted is over by then: five attempts, and senders that died meanwhile. */
const LONGEST_END_MS = 300_000;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** What is cached of each delivery at the end. */
type Outcome = Pick<StoredDelivery, 'id' | 'status' | 'lastError'>;

const FAULTS: FaultRule[] = [
  { service: 'sqs', effect: 'duplicate', probability: 0.05 },
  { service: 'sqs', effect: 'delay', delayMs: 300, probability: 0.05 },
  { service: 'dynamodb', effect: 'throttle', probability: 0.02 },
  { service: 'dynamodb', effect: 'lostAnswer', probability: 0.02 },
  { service: 'lambda', operation: 'EventSourceMapping', effect: 'duplicate', probability: 0.02 },
  ...[10, 40, 120].map((delayMs) => ({
    service: 'lambda',
    operation: 'Invoke',
    resource: 'deliver-webhook',
    effect: 'kill' as const,
    delayMs,
    probability: 0.002,
  })),
];

const dataDir = await mkdtemp(join(tmpdir(), 'analytics-soak-webhooks-'));
const platform = new StartedPlatform(dataDir);
const receiver = await openSoakReceiver(SECRET);
const startedAt = performance.now();
const seconds = () => Math.round((performance.now() - startedAt) / 1000);
let emitted = 0;
process.once('SIGINT', () => {
  events = emitted;
});
const progress = setInterval(() => {
  console.log(`${seconds()} s: ${emitted} events, ${receiver.seen.size} arrived, ${receiver.requests} requests`);
}, 10_000);
await platform.start();
try {
  const table = await openPlatformTable();
  const webhooks: string[] = [];
  while (webhooks.length < WEBHOOKS) {
    const body = { name: 'soak', url: receiver.url, kind: 'generic', events: [], secret: SECRET };
    webhooks.push((await platform.request<{ id: string }>('POST', '/api/webhooks', body)).id);
  }
  await platform.misbehave(FAULTS);
  await emitAll(table, webhooks);
  console.log(`${seconds()} s: all ${events} events are emitted`);

  const deliveries = await settledDeliveries(table, webhooks);
  await platform.misbehave([]);
  report(deliveries);
} finally {
  clearInterval(progress);
  await platform.stop();
  receiver.close();
  await rm(dataDir, { recursive: true, force: true });
}

/** The platform's table, as product actions write to it. */
async function openPlatformTable(): Promise<Table> {
  const client = new DynamoDBClient({
    endpoint: platform.credentials.baseUrl,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 20,
  });
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  return openTable(TableNames[0]!, client);
}

/** Sends to the webhooks in turn, and never runs far ahead of what arrives. */
async function emitAll(table: Table, webhooks: readonly string[]): Promise<void> {
  const { workspaceId } = platform.credentials;
  let turns = 0;
  const emitter = async () => {
    while (emitted < events) {
      if (emitted - receiver.seen.size >= MAX_UNDER_WAY) {
        await sleep(50);
        continue;
      }
      const webhookId = webhooks[turns++ % webhooks.length]!;
      const count = Math.min(EVENTS_IN_A_TRANSACTION, events - emitted);
      emitted += count;
      const data = { workspaceId, webhookId, webhookName: 'soak' };
      const TransactItems = Array.from({ length: count }, () =>
        outboxItem(table, { id: newId(), workspaceId, event: 'webhook.test', data, at: new Date(), webhookId }),
      );
      await table.db.send(new TransactWriteCommand({ TransactItems }));
    }
  };
  await Promise.all(Array.from({ length: EMITTERS }, emitter));
}

/**
 * All deliveries of the webhooks, once every event has arrived and none is open any more. The table is read, as paging
 * the API takes ever longer.
 */
async function settledDeliveries(table: Table, webhooks: readonly string[]): Promise<Outcome[]> {
  const repository = deliveryRepository(table);
  const { workspaceId } = platform.credentials;
  const deadline = performance.now() + LONGEST_END_MS;
  const all: Outcome[] = [];
  while (receiver.seen.size < events && performance.now() < deadline) await sleep(1000);
  for (const webhookId of webhooks) {
    const range = { workspaceId, webhookId, from: new Date(0).toISOString(), to: new Date().toISOString() };
    for (let after: string | undefined; ; ) {
      const page = await repository.between(range, { limit: 500, after });
      const isSettled = page.every((delivery) => !isOpen(delivery));
      if (!isSettled && performance.now() < deadline) {
        await sleep(1000);
        continue;
      }
      all.push(...page.map(({ id, status, lastError }) => ({ id, status, lastError })));
      if (page.length < 500) break;
      after = page.at(-1)!.id;
    }
  }
  return all;
}

function report(deliveries: readonly Outcome[]): void {
  const { seen, requests, forged } = receiver;
  const counts = [...seen.values()].map((each) => each.requests);
  const most = counts.reduce((highest, each) => Math.max(highest, each), 0);
  console.log(
    `${deliveries.length} deliveries, ${requests} requests in ${seconds()} s; ` +
      `${counts.filter((count) => count > 1).length} sent more than once, at most ${most} times`,
  );
  const known = new Set(deliveries.map(({ id }) => id));
  const faults = [
    ...deliveries
      .filter(({ status }) => status !== 'delivered')
      .map(({ id, status, lastError }) => `${id} is ${status}: ${lastError}`),
    ...deliveries.filter(({ id }) => !seen.has(id)).map(({ id }) => `${id} never arrived`),
    ...[...seen.keys()].filter((id) => !known.has(id)).map((id) => `${id} is no delivery`),
    ...[...seen].filter(([, each]) => each.requests > 5).map(([id]) => `${id} was sent more than five times`),
    ...[...seen].filter(([, each]) => each.differs).map(([id]) => `${id} came in different bytes`),
  ];
  if (forged > 0) faults.push(`${forged} requests had a wrong signature`);
  if (deliveries.length !== events) faults.push(`${events} events have ${deliveries.length} deliveries`);
  if (faults.length > 0) throw new Error(faults.slice(0, 20).join('\n'));
  console.log('Nothing lost, nothing forged, no sixth request.');
}
