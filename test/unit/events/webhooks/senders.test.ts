import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DeliverDeps, deliver } from '../../../../functions/events/workers/deliver-webhook/deliver.ts';
import { Permits } from '../../../../functions/events/workers/deliver-webhook/permits.ts';
import { fanOut } from '../../../../functions/events/workers/fan-out-events/fan-out.ts';
import { RecentWebhooks } from '../../../../functions/events/workers/fan-out-events/recent.ts';
import { deliveryRepository } from '../../../../shared/domains/events/webhooks/deliveries.ts';
import { healthStore } from '../../../../shared/domains/events/webhooks/health-store.ts';
import type { DeliveryName } from '../../../../shared/domains/events/webhooks/keys.ts';
import type { StoredDelivery } from '../../../../shared/domains/events/webhooks/records.ts';
import { webhookRepository } from '../../../../shared/domains/events/webhooks/repository.ts';
import { createAddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { asProcess, type Crash, Crashed } from '../../../support/crash.ts';
import { useLocalTable } from '../../../support/local-table.ts';
import { openReceiver, type Receiver } from '../../../support/receiver.ts';
import { EVENT, givenWebhook } from './given.ts';

const TIMEOUT_MS = 10_000;

const local = useLocalTable();

let receiver: Receiver;
let now: Date;
beforeEach(async () => {
  receiver = await openReceiver();
  now = new Date('2026-11-21T10:00:30.000Z');
});
afterEach(() => receiver.close());

const nowhere = { send: async () => undefined };
const noSecrets = { seal: () => Promise.reject(new Error('none')), open: () => Promise.reject(new Error('none')) };

interface Sender extends DeliverDeps {
  /** Rejects when it dies: what its code does with the error is of no matter any more. */
  death: Promise<never>;
}

/** A sender of its own, which dies when `crash` says so. */
function sender(crash: Crash = () => undefined): Sender {
  const { promise: death, reject: die } = Promise.withResolvers<never>();
  death.catch(() => undefined);
  const table = local.open((write) => {
    const when = crash(write);
    if (when) die(new Crashed());
    return when;
  });
  return {
    death,
    table,
    webhooks: webhookRepository(table),
    deliveries: deliveryRepository(table),
    health: healthStore(table),
    queue: nowhere,
    permits: new Permits(table, { now: () => now, requestMs: TIMEOUT_MS + 5000, maxWaitMs: 50 }),
    secrets: noSecrets,
    guard: createAddressGuard({ allowedPrivateCidrs: ['127.0.0.0/8'] }),
    now: () => now,
    random: () => 0,
    timeoutMs: TIMEOUT_MS,
    onLongRequest: () => undefined,
    backoffSeconds: [1, 2, 4, 8],
  };
}

/** A delivery that waits for its first attempt. */
async function givenDelivery(): Promise<DeliveryName> {
  const workspaceId = newId();
  const { table, webhooks, deliveries } = sender();
  const webhook = await givenWebhook(table, { workspaceId, url: receiver.url, at: now });
  const at = now.toISOString();
  const data = {
    workspaceId,
    webhookId: webhook.id,
    webhookName: 'hook',
    reason: 'failing',
    disabledAt: at,
    url: `/api/webhooks/${webhook.id}`,
  };
  const lanes = { main: nowhere, slow: nowhere };
  await fanOut({ table, webhooks, deliveries, lanes, recent: new RecentWebhooks(), now: () => now }, [
    { id: newId(), workspaceId, event: EVENT, data, timestamp: at },
  ]);
  const { items } = await deliveries.list(workspaceId, webhook.id, { limit: 1, offset: 0 });
  return { workspaceId, webhookId: webhook.id, deliveryId: items[0]!.id };
}

/** What a sender does with the delivery's message, to the end of its batch. */
const send = (deps: Sender, name: DeliveryName) =>
  Promise.race([
    deps.death,
    asProcess(async () => {
      const again = await deliver(deps, { ...name, lane: 'main' });
      await deps.permits.settled();
      return again;
    }),
  ]);

/** Gives the message to senders that crash as `crash` says, again whenever it is due, until it is done. */
async function sendUntilOver(name: DeliveryName, crash: () => Crash | undefined = () => undefined) {
  for (let sent = 0; sent < 20; sent += 1) {
    const again = await send(sender(crash()), name).catch((error: unknown) => {
      if (error instanceof Crashed) return { afterSeconds: 60 };
      throw error;
    });
    if (!again) break;
    now = new Date(now.getTime() + Math.ceil(again.afterSeconds) * 1000);
  }
  return (await sender().deliveries.get(name)) as StoredDelivery;
}

/** The requests for the delivery, which are all alike. */
function requestsFor({ deliveryId }: DeliveryName): number {
  const requests = receiver.received.filter(({ headers }) => headers['x-service-delivery-id'] === deliveryId);
  expect(new Set(requests.map(({ body }) => body)).size).toBeLessThanOrEqual(1);
  return requests.length;
}

const isClaim = ({ input }: Parameters<Crash>[0]) => JSON.stringify(input).includes('"delivering"');
const isOutcome = ({ input }: Parameters<Crash>[0]) => JSON.stringify(input).includes('"delivered"');

describe('a delivery whose message comes twice', () => {
  it('at the same moment is sent once', async () => {
    const name = await givenDelivery();
    const again = await Promise.all([send(sender(), name), send(sender(), name)]);
    expect(again.filter((each) => each === null).length).toBeGreaterThan(0);
    expect(await sendUntilOver(name)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(requestsFor(name)).toBe(1);
  });

  it('and late is not sent when it is over', async () => {
    const name = await givenDelivery();
    await sendUntilOver(name);
    expect(await send(sender(), name)).toBeNull();
    expect(requestsFor(name)).toBe(1);
  });
});

describe('a delivery whose sender is killed', () => {
  it.each([
    ['before it has claimed the attempt', isClaim, 'before', { attempts: 1, requests: 1 }],
    ['after that and before the request', isClaim, 'after', { attempts: 2, requests: 1 }],
    ['after the request and before its outcome is written', isOutcome, 'before', { attempts: 2, requests: 2 }],
    ['after its outcome is written', isOutcome, 'after', { attempts: 1, requests: 1 }],
  ] as const)('%s arrives, as often as it was sent', async (_, isMoment, when, { attempts, requests }) => {
    const name = await givenDelivery();
    await expect(
      send(
        sender((write) => (isMoment(write) ? when : undefined)),
        name,
      ),
    ).rejects.toThrow(Crashed);
    // The next sender of the message waits until the attempt of the crashed one must have ended.
    expect(await sendUntilOver(name)).toMatchObject({ status: 'delivered', attempts });
    expect(requestsFor(name)).toBe(requests);
  });

  it('at any of its writes arrives all the same', async () => {
    for (const when of ['before', 'after'] as const) {
      for (let dying = 1, died = true; died; dying += 1) {
        const name = await givenDelivery();
        let writes = 0;
        died = await send(
          sender(() => (++writes === dying ? when : undefined)),
          name,
        ).then(
          () => false,
          () => true,
        );
        expect(await sendUntilOver(name)).toMatchObject({ status: 'delivered' });
        expect(requestsFor(name)).toBeLessThanOrEqual(2);
      }
    }
  });

  it('each time is sent five times and not once more', async () => {
    const name = await givenDelivery();
    const dying: Crash = (write) => (isOutcome(write) ? 'before' : undefined);
    expect(await sendUntilOver(name, () => dying)).toMatchObject({
      status: 'failed',
      errorCode: 'ATTEMPTS_EXHAUSTED',
      attempts: 5,
      lastError: 'the last attempt has no known outcome',
    });
    expect(requestsFor(name)).toBe(5);
  });

  it('is not sent by another sender while it may still be under way', async () => {
    const name = await givenDelivery();
    await expect(
      send(
        sender((write) => (isOutcome(write) ? 'before' : undefined)),
        name,
      ),
    ).rejects.toThrow(Crashed);
    now = new Date(now.getTime() + TIMEOUT_MS);
    expect(await send(sender(), name)).toMatchObject({ afterSeconds: 5 });
    expect(requestsFor(name)).toBe(1);
  });
});
