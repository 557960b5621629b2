import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FaultRule } from '../../packages/local-cloud/index.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { emitEvents, givenWebhook, requestsById, settledDeliveries } from './given-deliveries.ts';
import { usePlatform } from './use-platform.ts';

const EVENTS = 30;
/** Below the minute of the sweep: after any fault, a sender resumes the delivery before the sweep does. */
const SOON_MS = 55_000;

const under = usePlatform();
let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

/** Delivers events while the cloud misbehaves: each arrives, under one id, in the same bytes, at most five times. */
async function survives(rules: FaultRule[], { events = EVENTS }: { events?: number } = {}): Promise<void> {
  const { platform } = under;
  const webhookId = await givenWebhook(platform, receiver.url);
  await platform.misbehave(rules);
  try {
    await emitEvents(platform, webhookId, events);
    const deliveries = await settledDeliveries(platform, webhookId, events, SOON_MS);
    expect(deliveries.map(({ status }) => status)).toEqual(Array(events).fill('delivered'));
    const requests = requestsById(receiver);
    expect([...requests.keys()].sort()).toEqual(deliveries.map(({ id }) => id).sort());
    for (const bodies of requests.values()) {
      expect(bodies.length).toBeLessThanOrEqual(5);
      expect(new Set(bodies).size).toBe(1);
    }
  } finally {
    await platform.misbehave([]);
  }
}

const killed = (delayMs: number, times = 1): FaultRule[] => [
  { service: 'lambda', operation: 'Invoke', resource: 'deliver-webhook', effect: 'kill', delayMs, times },
];

describe('webhook deliveries on a cloud that misbehaves', () => {
  it('arrive when queue messages come twice', () => survives([{ service: 'sqs', effect: 'duplicate' }]));

  it('arrive when queue messages come late and in another order', () =>
    survives([{ service: 'sqs', effect: 'delay', delayMs: 700, probability: 0.3 }]));

  it('arrive when two senders get the same batch at once', () =>
    survives([
      { service: 'lambda', operation: 'EventSourceMapping', resource: 'deliver-webhook', effect: 'duplicate' },
    ]));

  it('arrive when events come twice from the stream', () =>
    survives([
      { service: 'lambda', operation: 'EventSourceMapping', resource: 'fan-out-events', effect: 'duplicate' },
    ]));

  it('arrive when their sender is killed before it has sent anything', () => survives(killed(0)), 120_000);

  it('arrive when their sender is killed while the receiver is thinking', async () => {
    receiver.answerAfterMs = 400;
    await survives(killed(150, 2));
  }, 120_000);

  it('arrive when their sender is killed about the time of the answer', async () => {
    receiver.answerAfterMs = 40;
    await survives(killed(60, 2));
  }, 120_000);

  it(
    'arrive when the fan-out is killed in the middle',
    () =>
      survives([
        { service: 'lambda', operation: 'Invoke', resource: 'fan-out-events', effect: 'kill', delayMs: 30, times: 2 },
      ]),
    120_000,
  );

  it(
    'arrive while the table is throttled',
    () => survives([{ service: 'dynamodb', effect: 'throttle', probability: 0.2 }]),
    120_000,
  );

  it(
    'arrive when answers of the table are lost',
    () => survives([{ service: 'dynamodb', effect: 'lostAnswer', probability: 0.1 }]),
    120_000,
  );

  it('are attempted exactly five times, even if senders crash', async () => {
    const { platform } = under;
    receiver.answer(500);
    const webhookId = await givenWebhook(platform, receiver.url);
    await platform.misbehave([
      ...killed(20, 2),
      { service: 'sqs', effect: 'duplicate', probability: 0.5 },
      { service: 'dynamodb', effect: 'lostAnswer', probability: 0.05 },
    ]);
    try {
      await emitEvents(platform, webhookId, 5);
      const deliveries = await settledDeliveries(platform, webhookId, 5, 110_000);
      for (const delivery of deliveries) {
        expect(delivery).toMatchObject({ status: 'failed', errorCode: 'ATTEMPTS_EXHAUSTED', attempts: 5 });
      }
      for (const bodies of requestsById(receiver).values()) {
        expect(bodies.length).toBeLessThanOrEqual(5);
        expect(new Set(bodies).size).toBe(1);
      }
    } finally {
      await platform.misbehave([]);
    }
  }, 180_000);
});
