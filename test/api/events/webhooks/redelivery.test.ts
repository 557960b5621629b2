import { BatchWriteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { deliveryKey } from '../../../../shared/domains/events/webhooks/keys.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { idAt, newId } from '../../../../shared/platform/storage/ids.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { openReceiver, type Receiver } from '../../../support/receiver.ts';
import { deliveriesWhere, EVENT, givenEvent, givenWebhook } from './given.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const DONE = { status: 'delivered' };
const EXHAUSTED = { status: 'failed', errorCode: 'ATTEMPTS_EXHAUSTED', attempts: 5 };

async function exhausted(api: Api): Promise<{ id: string; deliveryId: string }> {
  receiver.answer(500);
  const id = await givenWebhook(api, receiver);
  await givenEvent(api);
  const [delivery] = await deliveriesWhere(api, id, 1, EXHAUSTED);
  return { id, deliveryId: delivery.id };
}

/** A webhook with a delivery as five attempts leave it; in truth its receiver was asked once. */
async function givenExhausted(api: Api): Promise<{ id: string; deliveryId: string }> {
  const id = await givenWebhook(api, receiver);
  await givenEvent(api);
  const [{ id: deliveryId }] = await deliveriesWhere(api, id, 1, DONE);
  const key = deliveryKey({ workspaceId: api.workspaceId, webhookId: id, deliveryId });
  await api.table.db.send(new UpdateCommand(updateOf(api.table, key, { set: EXHAUSTED })));
  return { id, deliveryId };
}

type Limited = 'redeliver' | 'replay';

/** Lets so many turns of this minute be taken already, and of the next minute, should it begin meanwhile. */
async function takenTurns(api: Api, id: string, turns: number, what: Limited = 'redeliver'): Promise<void> {
  for (const minute of [0, 60_000].map((ahead) => new Date(Date.now() + ahead).toISOString().slice(0, 16))) {
    const Item = { ...workspaceKey(api.workspaceId, 'REDELIVERIES', `${id}#${what}#${minute}`), turns };
    await api.table.db.send(new PutCommand({ TableName: api.table.name, Item }));
  }
}

it('deliveries are found by status and event', async ({ api }) => {
  const { id, deliveryId } = await givenExhausted(api);
  await givenEvent(api);
  await vi.waitFor(
    async () => {
      const list = async (query: string) =>
        (await api.as('viewer').get(`/api/webhooks/${id}/deliveries?${query}`)).body;
      expect(await list('status=failed')).toMatchObject({ items: [{ id: deliveryId }], total: 1 });
      expect(await list(`status=delivered&event=${EVENT}`)).toMatchObject({ items: [{ event: EVENT }], total: 1 });
      expect(await list(`event=${EVENT}&limit=1&offset=1`)).toMatchObject({ items: [{ id: deliveryId }], total: 2 });
      expect(await list('event=webhook.other')).toMatchObject({ items: [], total: 0 });
    },
    { timeout: 60_000 },
  );
});

describe('redelivery', () => {
  it('goes on with the same id and bytes, counting on, with five attempts more', async ({ api }) => {
    const { id, deliveryId } = await exhausted(api);
    receiver.answer(500, 200);
    const reply = await api.as('editor').post(`/api/webhooks/${id}/deliveries/${deliveryId}/redeliver`);
    expect(reply).toMatchObject({
      status: 200,
      body: { id: deliveryId, status: 'pending', attempts: 5, maxAttempts: 10, errorCode: null },
    });
    const [delivery] = await deliveriesWhere(api, id, 1, DONE);
    expect(delivery).toMatchObject({ id: deliveryId, attempts: 7, lastError: null });
    expect(receiver.received).toHaveLength(7);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([deliveryId]));
  });

  it('sends again what had arrived', async ({ api }) => {
    const id = await givenWebhook(api, receiver);
    await givenEvent(api);
    const [{ id: deliveryId }] = await deliveriesWhere(api, id, 1, DONE);
    await api.as('editor').post(`/api/webhooks/${id}/deliveries/${deliveryId}/redeliver`);
    const [first, second] = await receiver.waitFor(2);
    expect(second!.body).toBe(first!.body);
    await deliveriesWhere(api, id, 1, { ...DONE, attempts: 2 });
  });

  it('waits for a delivery that is under way', async ({ api }) => {
    receiver.answerAfterMs = 1500;
    const id = await givenWebhook(api, receiver);
    await givenEvent(api);
    const [request] = await receiver.waitFor(1);
    const path = `/api/webhooks/${id}/deliveries/${request!.headers['webhook-id']}/redeliver`;
    expect(await api.as('editor').post(path)).toMatchObject({ status: 409, body: { code: 'DELIVERY_UNDER_WAY' } });
    await deliveriesWhere(api, id, 1, { ...DONE, attempts: 1 });
  });

  it('is refused for what is not there, not enabled, or of another workspace', async ({ api }) => {
    const { id, deliveryId } = await givenExhausted(api);
    const editor = api.as('editor');
    const range = { from: '2026-01-01T00:00:00.000Z', to: '2030-01-01T00:00:00.000Z' };
    const notFound = { status: 404, body: { code: 'WEBHOOK_NOT_FOUND' } };
    const stranger = api.as('stranger');
    expect(await stranger.post(`/api/webhooks/${id}/deliveries/${deliveryId}/redeliver`)).toMatchObject(notFound);
    expect(await stranger.post(`/api/webhooks/${id}/replay`, range)).toMatchObject(notFound);
    expect(await editor.post(`/api/webhooks/${id}/deliveries/${newId()}/redeliver`)).toMatchObject({
      status: 404,
      body: { code: 'DELIVERY_NOT_FOUND' },
    });
    await editor.patch(`/api/webhooks/${id}`, { enabled: false });
    const disabled = { status: 409, body: { code: 'WEBHOOK_DISABLED' } };
    expect(await editor.post(`/api/webhooks/${id}/deliveries/${deliveryId}/redeliver`)).toMatchObject(disabled);
    expect(await editor.post(`/api/webhooks/${id}/replay`, range)).toMatchObject(disabled);
    await deliveriesWhere(api, id, 1, EXHAUSTED);
    expect(receiver.received).toHaveLength(1);
  });

  it('is granted sixty times a minute', async ({ api }) => {
    const id = await givenWebhook(api, receiver);
    await givenEvent(api);
    const [{ id: deliveryId }] = await deliveriesWhere(api, id, 1, DONE);
    const path = `/api/webhooks/${id}/deliveries/${deliveryId}/redeliver`;
    await takenTurns(api, id, 59);
    expect(await api.as('editor').post(path)).toMatchObject({ status: 200 });
    await deliveriesWhere(api, id, 1, { ...DONE, attempts: 2 });
    await takenTurns(api, id, 60);
    expect(await api.as('editor').post(path)).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_REDELIVERIES' },
    });
  });
});

describe('replay', () => {
  it('tries again what failed of a time, and nothing else', async ({ api }) => {
    const before = new Date();
    const { id, deliveryId } = await givenExhausted(api);
    await givenEvent(api);
    const deliveries = async () => (await api.as('viewer').get(`/api/webhooks/${id}/deliveries`)).body.items;
    await expect.poll(deliveries, { timeout: 60_000 }).toMatchObject([DONE, EXHAUSTED]);

    const range = { from: before.toISOString(), to: new Date().toISOString() };
    const reply = await api.as('editor').post(`/api/webhooks/${id}/replay`, range);
    expect(reply).toMatchObject({ status: 202, body: { ...range, deliveries: 2 } });
    const [arrived, failed] = await deliveriesWhere(api, id, 2, DONE);
    expect(arrived).toMatchObject({ attempts: 1 });
    expect(failed).toMatchObject({ id: deliveryId, attempts: 6 });
    expect(receiver.received).toHaveLength(3);

    await takenTurns(api, id, 1, 'replay');
    expect(await api.as('editor').post(`/api/webhooks/${id}/replay`, range)).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_REDELIVERIES' },
    });
  });

  it('takes on ten thousand deliveries and not more, and no time that runs backwards', async ({ api }) => {
    const id = await givenWebhook(api, receiver);
    const at = new Date('2026-05-01T00:00:00.000Z');
    const items = Array.from({ length: 10_001 }, (_, index) => ({
      ...deliveryKey({ workspaceId: api.workspaceId, webhookId: id, deliveryId: idAt(at, id, index) }),
      event: EVENT,
      status: 'delivered',
      attempts: 1,
      createdAt: at.toISOString(),
      updatedAt: at.toISOString(),
    }));
    const batches = Array.from({ length: 401 }, (_, batch) => items.slice(batch * 25, batch * 25 + 25));
    await inParallel(8, batches, async (batch) => {
      const puts = batch.map((Item) => ({ PutRequest: { Item } }));
      await api.table.db.send(new BatchWriteCommand({ RequestItems: { [api.table.name]: puts } }));
    });
    const range = { from: at.toISOString(), to: at.toISOString() };
    expect(await api.as('editor').post(`/api/webhooks/${id}/replay`, range)).toMatchObject({
      status: 422,
      body: { code: 'REPLAY_TOO_LARGE' },
    });
    const backwards = { from: at.toISOString(), to: new Date(at.getTime() - 1).toISOString() };
    expect(await api.as('editor').post(`/api/webhooks/${id}/replay`, backwards)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/to', code: 'RANGE' }] },
    });
    const page = await api.as('viewer').get(`/api/webhooks/${id}/deliveries?offset=10000&limit=5`);
    expect(page.body).toMatchObject({ total: 10_001, offset: 10_000 });
  });
});
