import { createHmac } from 'node:crypto';

interface Signed {
  deliveryId: string;
  body: string;
  sentAt: Date;
}

/**
 * Headers of one attempt. The delivery id stays the same across attempts, so that receivers can drop duplicates; only the
 * timestamp, and so the signatures, change. `X-Service-Signature` is our own scheme; the `webhook-…` headers are those of
 * Standard Webhooks (standardwebhooks.com, specification 1.0), so that stock libraries verify us too.
 */
export function signedHeaders(
  { deliveryId, body, sentAt }: Signed,
  secret: string | undefined,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const headers: Record<string, string> = {
    'x-service-timestamp': timestamp,
    'x-service-delivery-id': deliveryId,
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
  };
  if (secret === undefined) return headers;
  const text = `${timestamp}.${deliveryId}.${body}`;
  headers['x-service-signature'] = `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
  const standardText = `${deliveryId}.${timestamp}.${body}`;
  headers['webhook-signature'] =
    `v1,${createHmac('sha256', standardKey(secret)).update(standardText).digest('base64')}`;
  return headers;
}

/** Standard Webhooks keys are base64 behind `whsec_`; any other secret is used as its bytes. */
function standardKey(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
}
