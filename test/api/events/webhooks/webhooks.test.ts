import { createHmac } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { deliveryKey, healthKey } from '../../../../shared/domains/events/webhooks/keys.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { openReceiver, type Receiver } from '../../../support/receiver.ts';
import { givenEvent } from './given.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const webhook = (extra: object = {}) => ({
  name: 'hook',
  url: receiver.url,
  kind: 'generic',
  events: ['pipeline.run_failed'],
  ...extra,
});

async function given(api: Api, extra: object = {}): Promise<string> {
  return (await api.as('editor').post('/api/webhooks', webhook(extra))).body.id;
}

async function settled(api: Api, id: string) {
  return vi.waitFor(
    async () => {
      const { items } = (await api.as('viewer').get(`/api/webhooks/${id}/deliveries`)).body;
      expect(items.length).toBeGreaterThan(0);
      for (const delivery of items) expect(['delivered', 'failed']).toContain(delivery.status);
      return items;
    },
    { timeout: 100_000, interval: 100 },
  );
}

describe('webhooks', () => {
  it('keeps secret and header values to itself', async ({ api }) => {
    const secrets = { secret: 'a very secret secret', headers: { 'X-Token': 'hidden value' } };
    const created = await api.as('editor').post('/api/webhooks', webhook(secrets));
    expect(created).toMatchObject({
      status: 201,
      body: { hasSecret: true, headers: { 'X-Token': '******' }, enabled: true, disabledReason: null },
    });
    const read = await api.as('viewer').get(`/api/webhooks/${created.body.id}`);
    const listed = await api.as('viewer').get('/api/webhooks');
    const stored = await api.stored(workspaceKey(api.workspaceId, 'WEBHOOK', created.body.id));
    for (const text of [created.body, read.body, listed.body, stored].map((value) => JSON.stringify(value))) {
      expect(text).not.toContain('a very secret secret');
      expect(text).not.toContain('hidden value');
    }
    expect(listed.body.total).toBe(1);
  });

  it("is another workspace's business in no way", async ({ api }) => {
    const id = await given(api);
    const stranger = api.as('stranger');
    const replies = [
      await stranger.get(`/api/webhooks/${id}`),
      await stranger.patch(`/api/webhooks/${id}`, { name: 'mine' }),
      await stranger.delete(`/api/webhooks/${id}`),
      await stranger.post(`/api/webhooks/${id}/test`),
      await stranger.get(`/api/webhooks/${id}/deliveries`),
    ];
    for (const reply of replies) expect(reply).toMatchObject({ status: 404, body: { code: 'WEBHOOK_NOT_FOUND' } });
    expect((await api.as('viewer').get(`/api/webhooks/${id}`)).body.name).toBe('hook');
    expect((await stranger.get('/api/webhooks')).body.items).toEqual([]);
    expect(receiver.received).toEqual([]);
  });

  it('refuses targets that must not be reached, and headers that cannot be sent', async ({ api }) => {
    for (const url of [
      'http://169.254.169.254/latest/meta-data/',
      'http://[fd00:ec2::254]/',
      'http://10.0.0.1/',
      'http://0x0a000001/',
      'http://metadata.google.internal/',
      'http://user:password@127.0.0.1/',
      'ftp://127.0.0.1/',
      'not a url',
    ]) {
      const reply = await api.as('editor').post('/api/webhooks', webhook({ url }));
      expect(reply, url).toMatchObject({
        status: 400,
        body: { code: 'ADDRESS_BLOCKED', errors: [{ pointer: '/url' }] },
      });
    }
    const headers = { Host: 'x', 'bad name': 'x', 'X-Ok': 'line\r\nSmuggled: yes' };
    const reply = await api.as('editor').post('/api/webhooks', webhook({ headers }));
    expect(reply.status).toBe(400);
    expect(reply.body.errors.map((issue: { pointer: string }) => issue.pointer)).toEqual([
      '/headers/Host',
      '/headers/bad name',
      '/headers/X-Ok',
    ]);
    expect((await api.as('editor').get('/api/webhooks')).body.total).toBe(0);
  });

  it('changes everything but the kind, checking a new target again', async ({ api }) => {
    const id = await given(api, { secret: 's' });
    const editor = api.as('editor');
    expect(await editor.patch(`/api/webhooks/${id}`, { kind: 'chat' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/kind', code: 'IMMUTABLE' }] },
    });
    expect(await editor.patch(`/api/webhooks/${id}`, { url: 'http://169.254.169.254/' })).toMatchObject({
      status: 400,
      body: { code: 'ADDRESS_BLOCKED' },
    });
    const changed = await editor.patch(`/api/webhooks/${id}`, {
      name: 'new',
      events: ['*'],
      secret: null,
      enabled: false,
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'new', events: ['*'], hasSecret: false, enabled: false, disabledReason: 'manual' },
    });
    expect((await api.as('viewer').get(`/api/webhooks/${id}`)).body).toEqual(changed.body);
    expect((await editor.patch(`/api/webhooks/${id}`, { enabled: true })).body).toMatchObject({
      enabled: true,
      disabledReason: null,
      disabledAt: null,
    });
  });

  it('creates once per idempotency key', async ({ api }) => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const replies = await Promise.all(
      [1, 2, 3].map(() => api.as('editor').post('/api/webhooks', webhook(), { headers })),
    );
    for (const reply of replies.filter((candidate) => candidate.status !== 201)) {
      expect(reply).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_IN_PROGRESS' } });
    }
    const other = await api.as('editor').post('/api/webhooks', webhook({ name: 'other' }), { headers });
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect((await api.as('viewer').get('/api/webhooks')).body.total).toBe(1);
  });

  it('delivers a test with both signatures over the exact bytes', async ({ api }) => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const headers = { 'X-Mine': 'yes', 'X-Service-Delivery-Id': 'mine', 'Content-Type': 'text/plain' };
    const id = await given(api, { secret, headers, enabled: false });
    const test = await api.as('editor').post(`/api/webhooks/${id}/test`);
    expect(test).toMatchObject({ status: 200, body: { event: 'webhook.test', data: { webhookId: id } } });

    const [request] = await receiver.waitFor(1);
    const { headers: got, body } = request!;
    expect(JSON.parse(body)).toEqual(test.body);
    expect(got).toMatchObject({ 'content-type': 'application/json', 'x-mine': 'yes' });
    const [timestamp, deliveryId] = [got['x-service-timestamp'], got['x-service-delivery-id']];
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(30);
    const ours = createHmac('sha256', secret).update(`${timestamp}.${deliveryId}.${body}`).digest('hex');
    expect(got['x-service-signature']).toBe(`sha256=${ours}`);
    const key = Buffer.from(secret.slice(6), 'base64');
    const standard = createHmac('sha256', key).update(`${deliveryId}.${timestamp}.${body}`).digest('base64');
    expect(got['webhook-signature']).toBe(`v1,${standard}`);

    const [delivery] = await settled(api, id);
    expect(delivery).toMatchObject({
      id: deliveryId,
      status: 'delivered',
      attempts: 1,
      responseStatus: 200,
      isTest: true,
    });
  });

  it('tries five times with the same id and bytes, and no sixth', async ({ api }) => {
    receiver.answer(500, 302, 404, 503, 500);
    const id = await given(api);
    await api.as('editor').post(`/api/webhooks/${id}/test`);
    const [delivery] = await settled(api, id);
    expect(delivery).toMatchObject({
      status: 'failed',
      errorCode: 'ATTEMPTS_EXHAUSTED',
      attempts: 5,
      maxAttempts: 5,
      lastError: 'the receiver answered 500',
    });
    expect(receiver.received).toHaveLength(5);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery-id'])).size).toBe(1);
    expect(JSON.stringify(delivery)).not.toContain('not to be shown');
  });

  it('goes on after a failure and says so', async ({ api }) => {
    receiver.answer(500, 200);
    const id = await given(api);
    await api.as('editor').post(`/api/webhooks/${id}/test`);
    const [delivery] = await settled(api, id);
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 2, lastError: null, nextRetryAt: null });
  });

  it('has address, headers and secret as they are at each attempt, and keeps id and bytes', async ({ api }) => {
    receiver.answer(500);
    const id = await given(api, { secret: 'old', headers: { 'X-Mine': 'old' } });
    await api.as('editor').post(`/api/webhooks/${id}/test`);
    const [before] = await receiver.waitFor(1);
    const change = { url: `${receiver.url}?moved`, secret: 'new', headers: { 'X-Mine': 'new' } };
    expect(await api.as('editor').patch(`/api/webhooks/${id}`, change)).toMatchObject({ status: 200 });
    const after = await vi.waitFor(
      () => {
        const moved = receiver.received.find(({ path }) => path.endsWith('?moved'));
        expect(moved).toBeDefined();
        return moved;
      },
      { timeout: 90_000, interval: 50 },
    );
    receiver.answer(200);

    expect(after!.body).toBe(before!.body);
    expect(after!.headers).toMatchObject({ 'x-mine': 'new', 'webhook-id': before!.headers['webhook-id'] });
    const signed = (secret: string) => {
      const text = `${after!.headers['x-service-timestamp']}.${after!.headers['webhook-id']}.${after!.body}`;
      return `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
    };
    expect(after!.headers['x-service-signature']).toBe(signed('new'));
    expect(after!.headers['x-service-signature-previous']).toBe(signed('old'));
    expect((await settled(api, id))[0]).toMatchObject({ status: 'delivered' });
  });

  it('is sent nothing, and switched off, when its host name now resolves to a blocked address', async ({ api }) => {
    const id = await given(api, { events: ['webhook.disabled'] });
    const key = workspaceKey(api.workspaceId, 'WEBHOOK', id);
    const url = 'http://169.254.169.254/latest/meta-data/';
    await api.table.db.send(new UpdateCommand(updateOf(api.table, key, { set: { url } })));
    await api.as('editor').post(`/api/webhooks/${id}/test`);
    expect((await settled(api, id))[0]).toMatchObject({
      status: 'failed',
      errorCode: 'BLOCKED_TARGET',
      attempts: 0,
      responseStatus: null,
      lastError: 'the target address is not allowed',
    });
    // A test says nothing of its webhook; an event does.
    await givenEvent(api);
    await vi.waitFor(
      async () =>
        expect((await api.as('viewer').get(`/api/webhooks/${id}`)).body).toMatchObject({
          enabled: false,
          disabledReason: 'blocked',
        }),
      { timeout: 90_000, interval: 200 },
    );
    expect(receiver.received).toEqual([]);
  });

  it('moves to the slow lane after a late answer, and is delivered to there', async ({ api }) => {
    receiver.answerAfterMs = 2100;
    const id = await given(api);
    const health = () => api.stored(healthKey(api.workspaceId, id));
    await api.as('editor').post(`/api/webhooks/${id}/test`);
    await settled(api, id);
    await vi.waitFor(async () => expect((await health())?.slowUntil).toBeDefined(), { timeout: 90_000 });
    const aheadMs = Date.parse((await health())!.slowUntil as string) - Date.now();
    expect(aheadMs).toBeGreaterThan(4 * 60_000);
    expect(aheadMs).toBeLessThanOrEqual(5 * 60_000);

    receiver.answerAfterMs = 0;
    await api.as('editor').post(`/api/webhooks/${id}/test`);
    await receiver.waitFor(2);
    for (const delivery of await settled(api, id)) expect(delivery).toMatchObject({ status: 'delivered', attempts: 1 });
    // A new address has everything before it.
    await api.as('editor').patch(`/api/webhooks/${id}`, { url: `${receiver.url}/new` });
    expect(await health()).not.toHaveProperty('slowUntil');
  });

  it('gives up at once on 410 and disables the webhook', async ({ api }) => {
    receiver.answer(410);
    const id = await given(api);
    await api.as('editor').post(`/api/webhooks/${id}/test`);
    expect((await settled(api, id))[0]).toMatchObject({ status: 'failed', errorCode: 'GONE', attempts: 1 });
    await vi.waitFor(
      async () =>
        expect((await api.as('viewer').get(`/api/webhooks/${id}`)).body).toMatchObject({
          enabled: false,
          disabledReason: 'gone',
        }),
      { timeout: 60_000 },
    );
  });

  it('stops delivering to a webhook that was deleted in between', async ({ api }) => {
    receiver.answer(500);
    const id = await given(api);
    await api.as('editor').post(`/api/webhooks/${id}/test`);
    const [request] = await receiver.waitFor(1);
    expect((await api.as('editor').delete(`/api/webhooks/${id}`)).status).toBe(204);
    const deliveryId = request!.headers['x-service-delivery-id'] as string;
    const key = deliveryKey({ workspaceId: api.workspaceId, webhookId: id, deliveryId });
    await vi.waitFor(
      async () => expect(await api.stored(key)).toMatchObject({ status: 'failed', errorCode: 'WEBHOOK_DELETED' }),
      { timeout: 90_000, interval: 200 },
    );
    const count = receiver.received.length;
    expect(count).toBeLessThan(5);
    expect(await api.as('viewer').get(`/api/webhooks/${id}/deliveries`)).toMatchObject({ status: 404 });
  });

  it('refuses an offset beyond 10,000 in its deliveries', async ({ api }) => {
    const id = await given(api);
    expect(await api.as('viewer').get(`/api/webhooks/${id}/deliveries?offset=10001`)).toMatchObject({
      status: 400,
      body: { code: 'OFFSET_TOO_LARGE' },
    });
  });

  it('speaks to chat tools in text and blocks, with nothing in the data able to act', async ({ api }) => {
    const id = (await api.as('editor').post('/api/webhooks', webhook({ kind: 'chat', name: '<!channel> *x*' }))).body
      .id;
    await api.as('editor').post(`/api/webhooks/${id}/test`);
    const [request] = await receiver.waitFor(1);
    const message = JSON.parse(request!.body);
    expect(message.text).toContain('Webhook test');
    expect(message.blocks.length).toBeGreaterThan(1);
    expect(request!.body).not.toContain('<!channel>');
  });
});
