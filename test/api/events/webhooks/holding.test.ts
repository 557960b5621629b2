import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { deliveryKey, healthKey } from '../../../../shared/domains/events/webhooks/keys.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it, LOCAL } from '../../../support/api.ts';
import { openReceiver, type Receiver } from '../../../support/receiver.ts';
import { deliveriesWhere, EVENT, givenEvent, givenWebhook } from './given.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const DONE = { status: 'delivered' };
const HOUR = 60 * 60 * 1000;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

/** Turns back the clock of what is stored. */
async function set(api: Api, key: { pk: string; sk: string }, attributes: Record<string, unknown>): Promise<void> {
  await api.table.db.send(new UpdateCommand(updateOf(api.table, key, { set: attributes })));
}

async function sweep(api: Api): Promise<void> {
  const lambda = new LambdaClient({ endpoint: api.endpoint, ...LOCAL });
  const reply = await lambda.send(
    new InvokeCommand({ FunctionName: 'AnalyticsRuntime-deliver-webhook', Payload: JSON.stringify({ sweep: true }) }),
  );
  expect(reply.FunctionError).toBeUndefined();
}

/** Waits until the webhook's deliveries are held: no sender will touch them. */
async function held(api: Api, id: string, count: number): Promise<string[]> {
  const { items } = (await api.as('viewer').get(`/api/webhooks/${id}/deliveries?limit=200`)).body;
  return vi.waitFor(
    async () => {
      const stored = await Promise.all(
        items.map((delivery: { id: string }) =>
          api.stored(deliveryKey({ workspaceId: api.workspaceId, webhookId: id, deliveryId: delivery.id })),
        ),
      );
      const waiting = stored.filter((item) => item?.due === `webhook-held#${id}`);
      expect(waiting.length).toBeGreaterThanOrEqual(count);
      return waiting.map((item) => item!.sk as string);
    },
    { timeout: 90_000, interval: 200 },
  );
}

/**
 * A webhook whose receiver has failed ten times, most of them before this test, with two deliveries held that nothing
 * was ever sent of, behind those that failed.
 */
async function broken(api: Api, { before = 9, events = 1 } = {}): Promise<string> {
  receiver.answer(500);
  const id = await givenWebhook(api, receiver);
  if (before > 0) {
    await set(api, healthKey(api.workspaceId, id), { consecutiveFailures: before, failingSince: ago(HOUR) });
  }
  await Promise.all(Array.from({ length: events }, () => givenEvent(api)));
  await vi.waitFor(
    async () =>
      expect((await api.as('viewer').get(`/api/webhooks/${id}`)).body.consecutiveFailures).toBeGreaterThanOrEqual(10),
    { timeout: 90_000, interval: 200 },
  );
  await Promise.all([givenEvent(api), givenEvent(api)]);
  await deliveriesWhere(api, id, events + 2, {});
  await held(api, id, 2);
  return id;
}

describe('a webhook that was disabled by hand', () => {
  it('receives no events of that time, and continues with the deliveries in progress', async ({ api }) => {
    receiver.answer(500);
    const id = await givenWebhook(api, receiver);
    const witness = await openReceiver();
    await givenWebhook(api, witness);
    await givenEvent(api);
    await receiver.waitFor(1);
    await api.as('editor').patch(`/api/webhooks/${id}`, { enabled: false });
    await held(api, id, 1);
    await givenEvent(api);
    await witness.waitFor(2);
    await witness.close();
    const attempts = receiver.received.length;

    receiver.answer(200);
    await api.as('editor').patch(`/api/webhooks/${id}`, { enabled: true });
    const [delivery] = await deliveriesWhere(api, id, 1, DONE);
    expect(delivery.attempts).toBe(attempts + 1);
    expect(receiver.received).toHaveLength(attempts + 1);
  });

  it('gives up after a day what was under way', async ({ api }) => {
    receiver.answer(500);
    const id = await givenWebhook(api, receiver);
    await givenEvent(api);
    await receiver.waitFor(1);
    await api.as('editor').patch(`/api/webhooks/${id}`, { enabled: false });
    const [deliveryId] = await held(api, id, 1);

    const { workspaceId } = api;
    await set(api, workspaceKey(workspaceId, 'WEBHOOK', id), { disabledAt: ago(25 * HOUR) });
    await set(api, deliveryKey({ workspaceId, webhookId: id, deliveryId: deliveryId! }), { dueAt: ago(HOUR) });
    await set(api, healthKey(workspaceId, id), { dueAt: ago(HOUR) });
    await sweep(api);
    await deliveriesWhere(api, id, 1, { status: 'failed', errorCode: 'WEBHOOK_DISABLED' });
  });

  it('still gets test deliveries, which count for nothing', async ({ api }) => {
    receiver.answer(500);
    const id = await givenWebhook(api, receiver, { enabled: false });
    await api.as('editor').post(`/api/webhooks/${id}/test`);
    await receiver.waitFor(2);
    await deliveriesWhere(api, id, 1, { isTest: true, lastError: 'the receiver answered 500' });
    expect((await api.as('viewer').get(`/api/webhooks/${id}`)).body).toMatchObject({
      consecutiveFailures: 0,
      lastDeliveryAt: null,
    });
  });

  it('lets fail what was held for it when it is deleted', async ({ api }) => {
    receiver.answer(500);
    const id = await givenWebhook(api, receiver);
    await givenEvent(api);
    await receiver.waitFor(1);
    await api.as('editor').patch(`/api/webhooks/${id}`, { enabled: false });
    const [deliveryId] = await held(api, id, 1);
    await api.as('editor').delete(`/api/webhooks/${id}`);
    const key = deliveryKey({ workspaceId: api.workspaceId, webhookId: id, deliveryId: deliveryId! });
    await vi.waitFor(
      async () => expect(await api.stored(key)).toMatchObject({ status: 'failed', errorCode: 'WEBHOOK_DELETED' }),
      { timeout: 90_000, interval: 200 },
    );
  });
});

describe('a webhook that keeps failing', () => {
  it('is spared after ten failures, without an attempt being used up', async ({ api }) => {
    const id = await broken(api, { before: 0, events: 5 });
    const requests = receiver.received.length;
    const items = await deliveriesWhere(api, id, 7, {});
    for (const delivery of items.slice(0, 2)) expect(delivery).toMatchObject({ status: 'pending', attempts: 0 });
    expect(receiver.received).toHaveLength(requests);
  });

  it('is tried once a minute, and gets everything when it is back', async ({ api }) => {
    const id = await broken(api);
    receiver.answer(200);
    const probe = { dueAt: ago(1000), probeAt: ago(1000) };
    await set(api, healthKey(api.workspaceId, id), probe);
    const requests = receiver.received.length;
    await sweep(api);
    await receiver.waitFor(requests + 1);
    await vi.waitFor(
      async () => {
        const { items } = (await api.as('viewer').get(`/api/webhooks/${id}/deliveries`)).body;
        for (const delivery of items) expect(['delivered', 'failed']).toContain(delivery.status);
        for (const delivery of items.slice(0, 2)) expect(delivery).toMatchObject(DONE);
      },
      { timeout: 90_000, interval: 200 },
    );
    expect((await api.as('viewer').get(`/api/webhooks/${id}`)).body.consecutiveFailures).toBe(0);
  });

  it('gets everything at once when its address is changed', async ({ api }) => {
    const id = await broken(api);
    const other = await openReceiver();
    await api.as('editor').patch(`/api/webhooks/${id}`, { url: other.url });
    await other.waitFor(2);
    await other.close();
  });

  it('gives up after a day what it could not be sent', async ({ api }) => {
    const id = await broken(api);
    const [deliveryId] = await held(api, id, 1);
    const key = deliveryKey({ workspaceId: api.workspaceId, webhookId: id, deliveryId: deliveryId! });
    await set(api, key, { dueAt: ago(1000), heldUntil: ago(1000) });
    await set(api, healthKey(api.workspaceId, id), { dueAt: ago(1000) });
    await sweep(api);
    await vi.waitFor(
      async () => expect(await api.stored(key)).toMatchObject({ status: 'failed', errorCode: 'ATTEMPTS_EXHAUSTED' }),
      { timeout: 90_000, interval: 200 },
    );
  });

  it('is switched off after five days with an event; what it misses can be redelivered', async ({ api }) => {
    const id = await givenWebhook(api, receiver, { name: 'dead' });
    const watcher = await openReceiver();
    await givenWebhook(api, watcher, { url: watcher.url });
    const failing = { consecutiveFailures: 19, failingSince: ago(13 * HOUR), lastSuccessAt: ago(6 * 24 * HOUR) };
    await set(api, healthKey(api.workspaceId, id), { ...failing, probeAt: ago(1000) });
    receiver.answer(500);
    await givenEvent(api);

    await vi.waitFor(
      async () =>
        expect((await api.as('viewer').get(`/api/webhooks/${id}`)).body).toMatchObject({
          enabled: false,
          disabledReason: 'failing',
        }),
      { timeout: 90_000, interval: 200 },
    );
    const reported = (await watcher.waitFor(2))
      .map(({ body }) => JSON.parse(body))
      .find(({ data }) => data.webhookId === id);
    expect(reported).toMatchObject({ event: EVENT, data: { webhookName: 'dead', reason: 'failing' } });
    await watcher.close();

    await givenEvent(api);
    const missed = await deliveriesWhere(api, id, 3, { status: 'failed', errorCode: 'WEBHOOK_DISABLED' });
    receiver.answer(200);
    await api.as('editor').patch(`/api/webhooks/${id}`, { enabled: true });
    await api.as('editor').post(`/api/webhooks/${id}/deliveries/${missed[0].id}/redeliver`);
    await vi.waitFor(
      async () => {
        const { items } = (await api.as('viewer').get(`/api/webhooks/${id}/deliveries`)).body;
        expect(items[0]).toMatchObject({ id: missed[0].id, ...DONE });
      },
      { timeout: 60_000 },
    );
  });
});
