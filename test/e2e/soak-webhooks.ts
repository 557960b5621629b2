import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultRule } from '../../infra/local/core/faults.ts';
import { openReceiver } from '../support/receiver.ts';
import { StartedPlatform } from '../support/started-platform.ts';
import { emitEvents, givenWebhook, requestsById, type ShownDelivery, settledDeliveries } from './given-deliveries.ts';

/**
 * `npm run soak:webhooks [events]`: sends so many events while everything that can go wrong does, and counts what arrived:
 * each event at least once, under one id, in one sequence of bytes, with five requests at most. A hundred thousand take
 * about ten times as long as the ten thousand of a release.
 */
const events = Number(process.argv[2] ?? 3000);
const perWebhook = Math.min(events, 1000);
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
/** One answer in twenty is a failure. */
const ANSWERS = Array.from({ length: events * 2 }, (_, index) => (index % 20 === 7 ? 500 : 200));

const dataDir = await mkdtemp(join(tmpdir(), 'analytics-soak-webhooks-'));
const platform = new StartedPlatform(dataDir);
const receiver = await openReceiver();
receiver.answer(...ANSWERS);
await platform.start();
try {
  const startedAt = performance.now();
  const webhooks = await Promise.all(
    Array.from({ length: Math.ceil(events / perWebhook) }, () => givenWebhook(platform, receiver.url)),
  );
  await platform.misbehave(FAULTS);
  for (const webhook of webhooks) await emitEvents(platform, webhook, perWebhook);
  const emittedAt = performance.now();
  console.log(`${events} events emitted in ${((emittedAt - startedAt) / 1000).toFixed(0)} s`);

  const deliveries: ShownDelivery[] = [];
  for (const webhook of webhooks) deliveries.push(...(await settledDeliveries(platform, webhook, perWebhook, 900_000)));
  await platform.misbehave([]);
  report(deliveries, (performance.now() - startedAt) / 1000);
} finally {
  await platform.stop();
  await receiver.close();
  await rm(dataDir, { recursive: true, force: true });
}

function report(deliveries: readonly ShownDelivery[], seconds: number): void {
  const requests = requestsById(receiver);
  const counts = [...requests.values()].map((bodies) => bodies.length);
  const atLeast = (count: number) => counts.filter((each) => each >= count).length;
  console.log(
    `${deliveries.length} deliveries, ${receiver.received.length} requests in ${seconds.toFixed(0)} s; ` +
      `${atLeast(2)} sent more than once, at most ${Math.max(...counts)} times`,
  );
  const faults = [
    ...deliveries.filter(({ status }) => status !== 'delivered').map(({ id }) => `${id} failed`),
    ...deliveries.filter(({ id }) => !requests.has(id)).map(({ id }) => `${id} never arrived`),
    ...[...requests].filter(([, bodies]) => bodies.length > 5).map(([id]) => `${id} was sent more than five times`),
    ...[...requests].filter(([, bodies]) => new Set(bodies).size > 1).map(([id]) => `${id} came in different bytes`),
  ];
  if (deliveries.length < events) faults.push(`${events - deliveries.length} events have no delivery`);
  if (faults.length > 0) throw new Error(faults.slice(0, 20).join('\n'));
  console.log('Nothing lost, nothing forged, no sixth request.');
}
