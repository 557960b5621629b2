import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { webhooks } from '../src/index.ts';

// The example of the guide.
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"event":"webhook.test"}';
const HEADERS = {
  'x-service-delivery-id': '01a1fdb3-4c1f-8a57-9c1e-2f6d1f0f7c11',
  'x-service-timestamp': '1700000000',
  'x-service-signature': 'sha256=4c5f9297a96f9bae2e4b9bbde6d6145d3d79580cbfd6ef8c8fca808aae051718',
};
const now = new Date(1_700_000_100_000);

describe('a delivery', () => {
  it('is accepted with the right signature, from headers of any kind', async () => {
    const event = { event: 'webhook.test' };
    expect(await webhooks.verify(SECRET, HEADERS, BODY, { now })).toEqual(event);
    expect(await webhooks.verify(SECRET, new Headers(HEADERS), new TextEncoder().encode(BODY), { now })).toEqual(event);
  });

  it('is accepted by a receiver that still has the previous secret', async () => {
    const signed = `${HEADERS['x-service-timestamp']}.${HEADERS['x-service-delivery-id']}.${BODY}`;
    const previous = `sha256=${createHmac('sha256', 'old').update(signed).digest('hex')}`;
    const headers = { ...HEADERS, 'x-service-signature-previous': previous };
    expect(await webhooks.verify('old', headers, BODY, { now })).toEqual({ event: 'webhook.test' });
    expect(await webhooks.verify(SECRET, headers, BODY, { now })).toEqual({ event: 'webhook.test' });
  });

  it.each([
    ['another secret', 'whsec_other', HEADERS, BODY],
    ['another body', SECRET, HEADERS, `${BODY} `],
    ['another id', SECRET, { ...HEADERS, 'x-service-delivery-id': 'x' }, BODY],
    ['no signature', SECRET, { ...HEADERS, 'x-service-signature': undefined }, BODY],
    [
      'half a signature',
      SECRET,
      { ...HEADERS, 'x-service-signature': HEADERS['x-service-signature'].slice(0, 39) },
      BODY,
    ],
    ['no timestamp', SECRET, { ...HEADERS, 'x-service-timestamp': undefined }, BODY],
    ['another timestamp', SECRET, { ...HEADERS, 'x-service-timestamp': '1700000001' }, BODY],
  ])('is refused with %s', async (_, secret, headers, body) => {
    await expect(webhooks.verify(secret, headers, body, { now })).rejects.toBeInstanceOf(webhooks.WebhookError);
  });

  it('is refused when it is older than five minutes', async () => {
    const late = { now: new Date(1_700_000_301_000) };
    await expect(webhooks.verify(SECRET, HEADERS, BODY, late)).rejects.toThrow('older than five minutes');
  });
});
