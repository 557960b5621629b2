import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { openReceiver, type Receiver } from '../../../support/receiver.ts';

let receiver: Receiver;
let other: Receiver;
beforeEach(async () => {
  [receiver, other] = await Promise.all([openReceiver(), openReceiver()]);
});
afterEach(() => Promise.all([receiver.close(), other.close()]));

const SECRETS = { secret: 'the first secret', headers: { Authorization: 'Bearer the first token' } };

async function given(api: Api, secrets: object = SECRETS): Promise<string> {
  const webhook = { name: 'hook', url: receiver.url, kind: 'generic', events: [], ...secrets };
  return `/api/webhooks/${(await api.as('editor').post('/api/webhooks', webhook)).body.id}`;
}

describe('a new origin of a webhook', () => {
  it('asks for the headers and the secret again, and receives neither', async ({ api }) => {
    const path = await given(api);
    const { port } = new URL(other.url);
    for (const url of [other.url, `https://127.0.0.1:${port}/`, `http://localhost:${port}/`]) {
      const reply = await api.as('viewer').patch(path, { url });
      expect(reply, url).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      expect(reply.body.errors).toEqual([
        { pointer: '/headers', code: 'REQUIRED', message: expect.stringContaining('url has another origin') },
        { pointer: '/secret', code: 'REQUIRED', message: expect.stringContaining('url has another origin') },
      ]);
    }
    for (const [change, pointer] of [
      [{ headers: { 'X-Mine': 'x' } }, '/secret'],
      [{ generateSecret: true }, '/headers'],
    ] as const) {
      const reply = await api.as('viewer').patch(path, { url: other.url, ...change });
      expect(reply.body.errors).toMatchObject([{ pointer, code: 'REQUIRED' }]);
    }
    expect((await api.as('viewer').get(path)).body).toMatchObject({ url: receiver.url, hasSecret: true, revision: 1 });
    await api.as('viewer').post(`${path}/test`);
    const [request] = await receiver.waitFor(1);
    expect(request!.headers).toMatchObject({ authorization: 'Bearer the first token' });
    expect(other.received).toEqual([]);
  });

  it('is accepted with new values, and is not signed with the previous secret', async ({ api }) => {
    const path = await given(api);
    await api.as('editor').patch(path, { secret: 'the second secret' });
    const change = { url: other.url, secret: 'the third secret', headers: { 'X-Mine': 'new' } };
    expect(await api.as('editor').patch(path, change)).toMatchObject({ status: 200, body: { hasSecret: true } });
    await api.as('editor').post(`${path}/test`);
    const [request] = await other.waitFor(1);
    const { headers, body } = request!;
    const text = `${headers['x-service-timestamp']}.${headers['webhook-id']}.${body}`;
    const signature = createHmac('sha256', 'the third secret').update(text).digest('hex');
    expect(headers).toMatchObject({ 'x-mine': 'new', 'x-service-signature': `sha256=${signature}` });
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('x-service-signature-previous');
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  it('is accepted with what drops them, or where there is nothing to keep', async ({ api }) => {
    const path = await given(api);
    const dropped = await api.as('editor').patch(path, { url: other.url, secret: null, headers: {} });
    expect(dropped).toMatchObject({ status: 200, body: { url: other.url, headers: {}, hasSecret: false } });
    expect(await api.as('editor').patch(path, { url: receiver.url })).toMatchObject({ status: 200 });
  });

  it('is not another path or query of the same one, which keeps them', async ({ api }) => {
    const path = await given(api);
    const url = `${new URL('/other', receiver.url)}?x=1`;
    expect(await api.as('editor').patch(path, { url })).toMatchObject({
      status: 200,
      body: { url, headers: { Authorization: '******' }, hasSecret: true },
    });
  });

  it('does not sign with a secret that was dropped on the way', async ({ api }) => {
    const path = await given(api, { secret: 'the first secret' });
    await api.as('editor').patch(path, { secret: 'the second secret' });
    await api.as('editor').patch(path, { secret: null });
    expect((await api.as('editor').patch(path, { url: other.url })).status).toBe(200);
    await api.as('editor').post(`${path}/test`);
    const [request] = await other.waitFor(1);
    expect(Object.keys(request!.headers).filter((name) => name.includes('signature'))).toEqual([]);
  });
});
