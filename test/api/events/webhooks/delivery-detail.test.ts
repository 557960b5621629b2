import { randomUUID } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { it } from '../../../support/api.ts';
import { openReceiver, type Receiver } from '../../../support/receiver.ts';
import { deliveriesWhere, givenEvent, givenWebhook } from './given.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const TOKEN = 'a-token-of-the-receiver';

it('shows a delivery with its body and attempts, the beginning of replies to editors, and no credentials', async ({
  api,
}) => {
  receiver.answer(500, 200);
  // A receiver that repeats what it got, with a character at the limit of a kilobyte that must not be cut in two.
  receiver.answerBody = ({ headers }) => JSON.stringify({ headers, filler: 'ü'.repeat(2_000) });
  const secret = 'a secret of the webhook';
  const headers = { Authorization: `Bearer ${TOKEN}`, 'X-Team': 'say "what"' };
  const id = await givenWebhook(api, receiver, { headers, secret });
  await givenEvent(api);
  const [delivery] = await deliveriesWhere(api, id, 1, { status: 'delivered' });
  const path = `/api/webhooks/${id}/deliveries/${delivery.id}`;

  // Details are stored after the outcome.
  const { body: shown } = await vi.waitFor(async () => {
    const reply = await api.as('editor').get(path);
    expect(reply.body.attemptDetails[1].at).not.toBeNull();
    return reply;
  });
  const [first, second] = receiver.received;
  expect(shown).toEqual({
    ...delivery,
    body: first!.body,
    attemptDetails: [
      {
        number: 1,
        at: expect.any(String),
        durationMs: expect.any(Number),
        responseStatus: 500,
        error: 'the receiver answered 500',
        reply: expect.any(String),
      },
      {
        number: 2,
        at: expect.any(String),
        durationMs: expect.any(Number),
        responseStatus: 200,
        error: null,
        reply: expect.any(String),
      },
    ],
  });
  expect(second!.body).toBe(first!.body);
  for (const { reply } of shown.attemptDetails) {
    expect(reply).toContain('"authorization":"******"');
    expect(reply).not.toContain('\uFFFD');
    expect(Buffer.byteLength(reply)).toBeGreaterThan(1_000);
    expect(Buffer.byteLength(reply)).toBeLessThanOrEqual(1_024);
  }
  const everything = JSON.stringify([shown, await api.stored(attemptKey(api.workspaceId, id, delivery.id, 1))]);
  for (const hidden of [TOKEN, secret, 'what']) expect(everything).not.toContain(hidden);

  // Viewers may create webhooks, so what their receivers answer is not for them.
  const viewed = (await api.as('viewer').get(path)).body;
  const withoutReplies = shown.attemptDetails.map((attempt: object) => ({ ...attempt, reply: null }));
  expect(viewed).toEqual({ ...shown, attemptDetails: withoutReplies });
  const list = await api.as('editor').get(`/api/webhooks/${id}/deliveries`);
  expect(list.body.items).toEqual([delivery]);

  expect(await api.as('stranger').get(path)).toMatchObject({ status: 404, body: { code: 'WEBHOOK_NOT_FOUND' } });
  const missing = { status: 404, body: { code: 'DELIVERY_NOT_FOUND' } };
  expect(await api.as('editor').get(`/api/webhooks/${id}/deliveries/${randomUUID()}`)).toMatchObject(missing);
  const other = await givenWebhook(api, receiver);
  expect(await api.as('editor').get(`/api/webhooks/${other}/deliveries/${delivery.id}`)).toMatchObject(missing);
});

const attemptKey = (workspaceId: string, webhookId: string, deliveryId: string, number: number) =>
  workspaceKey(workspaceId, `DELIVERY-ATTEMPT#${webhookId}`, `${deliveryId}#${String(number).padStart(6, '0')}`);

it('counts attempts across redeliveries, and shows those without details', async ({ api }) => {
  const id = await givenWebhook(api, receiver);
  await givenEvent(api);
  const [{ id: deliveryId }] = await deliveriesWhere(api, id, 1, { status: 'delivered' });
  const path = `/api/webhooks/${id}/deliveries/${deliveryId}`;
  const attempts = async () => (await api.as('editor').get(path)).body.attemptDetails;
  await vi.waitFor(async () => expect(await attempts()).toMatchObject([{ number: 1, responseStatus: 200 }]));
  // As after a crash of the sender between its two writes.
  const Key = attemptKey(api.workspaceId, id, deliveryId, 1);
  await api.table.db.send(new DeleteCommand({ TableName: api.table.name, Key }));
  expect((await api.as('editor').post(`${path}/redeliver`)).status).toBe(200);
  const lost = { number: 1, at: null, durationMs: null, responseStatus: null, error: null, reply: null };
  await vi.waitFor(
    async () =>
      expect(await attempts()).toEqual([
        lost,
        expect.objectContaining({ number: 2, responseStatus: 200, reply: 'an answer that is not to be shown' }),
      ]),
    { timeout: 60_000 },
  );
});
