import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { openReceiver, type Received, type Receiver } from '../../../support/receiver.ts';
import { givenWebhook } from './given.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const OLD = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NEW = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

async function tested(api: Api, id: string): Promise<Received> {
  const before = receiver.received.length;
  expect((await api.as('editor').post(`/api/webhooks/${id}/test`)).status).toBe(200);
  return (await receiver.waitFor(before + 1)).at(-1)!;
}

const verifies = (secret: string, { body, headers }: Received) =>
  new StandardWebhook(secret).verify(body, headers as Record<string, string>);

/** The platform's own scheme, computed again from the words of its documentation. */
const ownSignature = (secret: string, { body, headers }: Received) => {
  const text = `${headers['x-service-timestamp']}.${headers['x-service-delivery-id']}.${body}`;
  return `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
};

describe('signatures of webhooks', () => {
  it('are accepted by the stock library, and rejected once a byte, the time or the id has changed', async ({ api }) => {
    const request = await tested(api, await givenWebhook(api, receiver, { secret: OLD }));
    expect(verifies(OLD, request)).toMatchObject({ event: 'webhook.test' });
    expect(request.headers['x-service-signature']).toBe(ownSignature(OLD, request));
    expect(request.headers['webhook-id']).toBe(request.headers['x-service-delivery-id']);
    expect(request.headers['webhook-id']).not.toContain('.');

    const { headers, body } = request;
    const later = String(Number(headers['webhook-timestamp']) + 1);
    const forgeries: Received[] = [
      { ...request, body: body.replace('webhook.test', 'webhook.tesT') },
      { ...request, headers: { ...headers, 'webhook-timestamp': later, 'x-service-timestamp': later } },
      { ...request, headers: { ...headers, 'webhook-id': 'other', 'x-service-delivery-id': 'other' } },
    ];
    for (const forgery of forgeries) {
      expect(() => verifies(OLD, forgery)).toThrow('No matching signature found');
      expect(ownSignature(OLD, forgery)).not.toBe(headers['x-service-signature']);
    }
    expect(() => verifies(NEW, request)).toThrow('No matching signature found');
  });

  it('use any text as a key', async ({ api }) => {
    const request = await tested(api, await givenWebhook(api, receiver, { secret: 'gehëimer Schlüssel' }));
    const base64 = Buffer.from('gehëimer Schlüssel').toString('base64');
    expect(verifies(base64, request)).toMatchObject({ event: 'webhook.test' });
    expect(request.headers['x-service-signature']).toBe(ownSignature('gehëimer Schlüssel', request));
  });

  it('are none without a secret, whatever custom headers pretend', async ({ api }) => {
    const pretended = { 'X-Service-Signature': 'sha256=00', 'Webhook-Signature': 'v1,AA', 'User-Agent': 'me' };
    const { headers } = await tested(api, await givenWebhook(api, receiver, { headers: pretended }));
    expect(headers).not.toHaveProperty('x-service-signature');
    expect(headers).not.toHaveProperty('webhook-signature');
    expect(headers['user-agent']).not.toBe('me');
    expect(headers['x-service-timestamp']).toMatch(/^\d{10}$/);
  });

  it('are made with both secrets for a day after a change', async ({ api }) => {
    const id = await givenWebhook(api, receiver, { secret: OLD });
    await api.as('editor').patch(`/api/webhooks/${id}`, { secret: NEW });
    const request = await tested(api, id);
    for (const secret of [OLD, NEW]) expect(verifies(secret, request)).toMatchObject({ event: 'webhook.test' });
    expect(request.headers['x-service-signature']).toBe(ownSignature(NEW, request));
    expect(request.headers['x-service-signature-previous']).toBe(ownSignature(OLD, request));
    expect((request.headers['webhook-signature'] as string).split(' ')).toHaveLength(2);

    await api.as('editor').patch(`/api/webhooks/${id}`, { secret: null });
    const unsigned = await tested(api, id);
    expect(unsigned.headers).not.toHaveProperty('webhook-signature');
    expect(unsigned.headers).not.toHaveProperty('x-service-signature-previous');
  });

  it('use a generated secret, which is shown once', async ({ api }) => {
    const editor = api.as('editor');
    const body = { name: 'hook', url: receiver.url, kind: 'generic', events: [], generateSecret: true };
    const created = await editor.post('/api/webhooks', body);
    expect(created.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { id, secret } = created.body;
    expect(verifies(secret, await tested(api, id))).toMatchObject({ event: 'webhook.test' });

    const changed = await editor.patch(`/api/webhooks/${id}`, { generateSecret: true });
    expect(changed.body.secret).not.toBe(secret);
    const request = await tested(api, id);
    for (const known of [secret, changed.body.secret]) expect(verifies(known, request)).toBeDefined();
    for (const reply of [await editor.get(`/api/webhooks/${id}`), await editor.get('/api/webhooks')]) {
      expect(JSON.stringify(reply.body)).not.toContain('whsec_');
    }
  });

  it('cannot have a secret that is given and generated, or generated and kept for a repetition', async ({ api }) => {
    const editor = api.as('editor');
    const body = { name: 'hook', url: receiver.url, kind: 'generic', events: [], generateSecret: true };
    expect(await editor.post('/api/webhooks', { ...body, secret: 'mine' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/secret', code: 'CONFLICT' }] },
    });
    const headers = { 'idempotency-key': crypto.randomUUID() };
    expect(await editor.post('/api/webhooks', body, { headers })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/generateSecret', code: 'CONFLICT' }] },
    });
    expect((await editor.get('/api/webhooks')).body.total).toBe(0);
  });
});
