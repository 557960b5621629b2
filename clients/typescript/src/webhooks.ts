import { AnalyticsError } from './core/errors.ts';

/** Why a delivery was not accepted. */
export class WebhookError extends AnalyticsError {
  override name = 'WebhookError';
}

export interface WebhookEvent {
  event: string;
  /** When it happened. */
  timestamp: string;
  data: Record<string, unknown>;
}

type HeaderMap = Headers | Record<string, string | string[] | undefined>;

const MAX_AGE_SECONDS = 5 * 60;

/**
 * The event of a delivery, if its signature is right. Pass the body as it came, before any parsing. For a day after a
 * change of the secret, deliveries are signed with the previous one too, so a receiver that still has it goes on.
 * Throws `WebhookError` for a wrong signature, and for a delivery that is older than five minutes.
 */
export async function verify(
  secret: string,
  headers: HeaderMap,
  body: string | Uint8Array<ArrayBuffer>,
  { now = new Date() }: { now?: Date } = {},
): Promise<WebhookEvent> {
  const header = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    return (Array.isArray(value) ? value[0] : value) ?? '';
  };
  const timestamp = header('x-service-timestamp');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('The delivery has no timestamp.');
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > MAX_AGE_SECONDS)
    throw new WebhookError('The delivery is older than five minutes, or the clocks differ by more.');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${timestamp}.${header('x-service-delivery-id')}.`), bytes);
  const name = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), name, false, ['verify']);
  // `verify` compares in constant time.
  const checks = ['x-service-signature', 'x-service-signature-previous'].map((which) =>
    crypto.subtle.verify('HMAC', key, fromHex(header(which)), signed),
  );
  if (!(await Promise.all(checks)).includes(true)) throw new WebhookError('The signature of the delivery is wrong.');
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

function fromHex(signature: string): Uint8Array<ArrayBuffer> {
  const digits = /^sha256=((?:[0-9a-f]{2}){32})$/.exec(signature)?.[1] ?? '';
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
