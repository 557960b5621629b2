import { createHmac } from 'node:crypto';

interface Signed {
  deliveryId: string;
  body: string;
  sentAt: Date;
}

/** The secret, and the previous one as long as receivers may still verify with it. */
interface Secrets {
  secret: string | undefined;
  previous: string | undefined;
}

/**
 * Headers of one attempt. The delivery id stays the same across attempts, so that receivers can drop duplicates; only
 * the timestamp, and so the signatures, change. `X-Service-Signature` is our own scheme; the `webhook-…` headers follow
 * Standard Webhooks (standardwebhooks.com, specification 1.0), so that existing libraries can verify them.
 */
export function signedHeaders(signed: Signed, { secret, previous }: Secrets): Record<string, string> {
  const { deliveryId, sentAt } = signed;
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const secrets = [secret, previous].filter((known) => known !== undefined);
  return {
    'x-service-timestamp': timestamp,
    'x-service-delivery-id': deliveryId,
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    ...(secret === undefined ? {} : { 'x-service-signature': ownSignature(signed, timestamp, secret) }),
    ...(previous === undefined ? {} : { 'x-service-signature-previous': ownSignature(signed, timestamp, previous) }),
    ...(secrets.length === 0
      ? {}
      : { 'webhook-signature': secrets.map((known) => standardSignature(signed, timestamp, known)).join(' ') }),
  };
}

function ownSignature({ deliveryId, body }: Signed, timestamp: string, secret: string): string {
  const text = `${timestamp}.${deliveryId}.${body}`;
  return `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
}

function standardSignature({ deliveryId, body }: Signed, timestamp: string, secret: string): string {
  const text = `${deliveryId}.${timestamp}.${body}`;
  return `v1,${createHmac('sha256', standardKey(secret)).update(text).digest('base64')}`;
}

/** Standard Webhooks keys are base64 after `whsec_`; any other secret is used as its bytes. */
function standardKey(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
}
