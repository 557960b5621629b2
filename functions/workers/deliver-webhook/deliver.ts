import type { SecretBox } from '../../../shared/crypto/secret-box.ts';
import { AddressBlocked, type AddressGuard } from '../../../shared/net/address-guard.ts';
import { WEBHOOK_SCHEMES } from '../../../shared/net/guard-from-environment.ts';
import { later } from '../../../shared/storage/ids.ts';
import type { DeliveryMessage } from '../../../shared/webhooks/queue.ts';
import {
  type DeliveryError,
  isOpen,
  type StoredDelivery,
  type StoredWebhook,
} from '../../../shared/webhooks/records.ts';
import type { DeliveryRepository, WebhookRepository } from '../../../shared/webhooks/repository.ts';
import { send } from './send.ts';
import { signedHeaders } from './signature.ts';
import { judge, type Verdict } from './verdict.ts';

export interface DeliverDeps {
  webhooks: WebhookRepository;
  deliveries: DeliveryRepository;
  secrets: SecretBox;
  guard: AddressGuard;
  now: () => Date;
  random: () => number;
  timeoutMs: number;
  /** Seconds before the second, third, … attempt. */
  backoffSeconds: readonly number[];
}

/** Null: nothing more to do for this message. Otherwise look again after that many seconds. */
export type LookAgain = { afterSeconds: number } | null;

/** A sender that has not written its outcome this long after its request's timeout has died. */
const LEASE_MARGIN_MS = 5_000;

/**
 * Makes the next attempt of a delivery. The attempt is claimed by a conditional write before anything is sent: two
 * senders never make the same attempt, and five is a hard cap whatever is delivered twice or dies.
 */
export async function deliver(deps: DeliverDeps, message: DeliveryMessage): Promise<LookAgain> {
  const { webhooks, deliveries } = deps;
  const delivery = await deliveries.get(message.workspaceId, message.deliveryId);
  if (!delivery || !isOpen(delivery)) return null;
  const wait = secondsUntilDue(delivery, deps.now());
  if (wait > 0) return { afterSeconds: wait };

  const webhook = await webhooks.get(delivery.workspaceId, delivery.webhookId);
  if (!webhook) return fail(deps, delivery, 'WEBHOOK_DELETED', 'the webhook was deleted');
  if (!webhook.enabled && !delivery.isTest) {
    return fail(deps, delivery, 'WEBHOOK_DISABLED', 'the webhook is disabled');
  }
  if (delivery.attempts >= delivery.maxAttempts) {
    // The sender of the last attempt died before it wrote what came of it.
    return fail(deps, delivery, 'ATTEMPTS_EXHAUSTED', delivery.lastError ?? 'the last attempt has no known outcome');
  }

  let url: URL;
  try {
    url = await deps.guard.checkUrl(webhook.url, { schemes: WEBHOOK_SCHEMES });
  } catch (error) {
    if (error instanceof AddressBlocked)
      return fail(deps, delivery, 'BLOCKED_TARGET', 'the address may not be reached');
    throw error;
  }
  const claimed = await claim(deps, delivery);
  if (!claimed) return null;
  return settle(deps, claimed, webhook, await attempt(deps, claimed, webhook, url));
}

function secondsUntilDue(delivery: StoredDelivery, now: Date): number {
  const due = delivery.status === 'delivering' ? delivery.leaseUntil : delivery.nextRetryAt;
  return due === null ? 0 : (Date.parse(due) - now.getTime()) / 1000;
}

async function claim(deps: DeliverDeps, delivery: StoredDelivery): Promise<StoredDelivery | undefined> {
  const now = deps.now();
  const claimed: StoredDelivery = {
    ...delivery,
    status: 'delivering',
    attempts: delivery.attempts + 1,
    nextRetryAt: null,
    leaseUntil: new Date(now.getTime() + deps.timeoutMs + LEASE_MARGIN_MS).toISOString(),
    updatedAt: later(delivery.updatedAt, now),
  };
  return (await deps.deliveries.move(delivery, claimed)) ? claimed : undefined;
}

async function attempt(
  deps: DeliverDeps,
  delivery: StoredDelivery,
  webhook: StoredWebhook,
  url: URL,
): Promise<Verdict> {
  const { secrets } = deps;
  const open = (sealed: string | undefined) => (sealed ? secrets.open(webhook.workspaceId, sealed) : undefined);
  const [custom, secret] = await Promise.all([open(webhook.sealedHeaders), open(webhook.sealedSecret)]);
  const sentAt = deps.now();
  const headers = {
    ...lowerCased(custom ? JSON.parse(custom) : {}),
    'content-type': 'application/json',
    'user-agent': 'analytics-platform-webhooks/1',
    ...signedHeaders({ deliveryId: delivery.id, body: delivery.body, sentAt }, secret),
  };
  try {
    const outcome = await send(deps.guard, { url, headers, body: delivery.body, timeoutMs: deps.timeoutMs });
    const { backoffSeconds, random } = deps;
    const { attempts, maxAttempts } = delivery;
    return judge(outcome, { attempt: attempts, maxAttempts, backoffSeconds, now: deps.now(), random });
  } catch (error) {
    if (!(error instanceof AddressBlocked)) throw error;
    const reason = 'the address may not be reached';
    return { next: 'failed', error: 'BLOCKED_TARGET', reason, status: null, disables: false };
  }
}

/** The service's own headers win over custom ones, whatever their case. */
function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

async function settle(
  deps: DeliverDeps,
  delivery: StoredDelivery,
  webhook: StoredWebhook,
  verdict: Verdict,
): Promise<LookAgain> {
  const now = deps.now();
  const base = { ...delivery, leaseUntil: null, updatedAt: later(delivery.updatedAt, now) };
  switch (verdict.next) {
    case 'delivered':
      await deps.deliveries.move(delivery, {
        ...base,
        status: 'delivered',
        responseStatus: verdict.status,
        lastError: null,
        deliveredAt: now.toISOString(),
      });
      return null;
    case 'failed':
      // A blocked target was never asked: that attempt does not count.
      await deps.deliveries.move(delivery, {
        ...base,
        attempts: delivery.attempts - (verdict.error === 'BLOCKED_TARGET' ? 1 : 0),
        status: 'failed',
        errorCode: verdict.error,
        lastError: verdict.reason,
        responseStatus: verdict.status,
      });
      if (verdict.disables) await disable(deps, webhook, now);
      return null;
    case 'retry':
      await deps.deliveries.move(delivery, {
        ...base,
        status: 'retrying',
        lastError: verdict.reason,
        responseStatus: verdict.status,
        nextRetryAt: new Date(now.getTime() + verdict.delayMs).toISOString(),
      });
      return { afterSeconds: verdict.delayMs / 1000 };
  }
}

async function fail(
  deps: DeliverDeps,
  delivery: StoredDelivery,
  errorCode: DeliveryError,
  lastError: string,
): Promise<LookAgain> {
  const updatedAt = later(delivery.updatedAt, deps.now());
  const failed: StoredDelivery = {
    ...delivery,
    status: 'failed',
    errorCode,
    lastError,
    nextRetryAt: null,
    leaseUntil: null,
    updatedAt,
  };
  await deps.deliveries.move(delivery, failed);
  return null;
}

async function disable(deps: DeliverDeps, webhook: StoredWebhook, now: Date): Promise<void> {
  if (!webhook.enabled) return;
  const updatedAt = later(webhook.updatedAt, now);
  const next: StoredWebhook = { ...webhook, enabled: false, disabledReason: 'gone', disabledAt: updatedAt, updatedAt };
  await deps.webhooks.replace(webhook, next, 'STALE_WRITE').catch(() => undefined);
}
