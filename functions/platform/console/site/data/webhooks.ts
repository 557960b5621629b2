import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { StatusKind } from '../ui/status.tsx';
import { api, type Types } from './client.ts';
import { type List, useList } from './list.ts';
import { type Query, useQuery } from './query.ts';

export type Webhook = Types.Webhook;
export type Delivery = Types.WebhookDelivery;

const EVERY_MS = 15_000;
const SOON_MS = 1_500;
const NEWEST = 20;
const WATCHED_MS = 20_000;
/** A workspace has no more. */
const MAX = 200;
/** From here on, the platform attempts a webhook only once a minute. */
const FAILING_FROM = 10;

/** All webhooks, those that need attention first. */
export const useWebhooks = (): Query<readonly Webhook[]> =>
  useQuery(['webhooks'], async () => (await api.webhooks.list({ limit: MAX })).items.toSorted(byHealth), {
    everyMs: EVERY_MS,
  });

export const useWebhook = (id: string): Query<Webhook> =>
  useQuery(['webhooks', id], () => api.webhooks.get(id), { everyMs: EVERY_MS });

export interface Filters {
  status?: string;
  event?: string;
}

/** True for a while after something was sent: it takes a moment until the deliveries are under way. */
const isSendingAgain = signal(false);
let ends: ReturnType<typeof setTimeout> | undefined;

/** Reads the deliveries often for a while. */
export function watchDeliveries(): void {
  isSendingAgain.value = true;
  clearTimeout(ends);
  ends = setTimeout(() => {
    isSendingAgain.value = false;
  }, WATCHED_MS);
}

/** The deliveries of a webhook, newest first. Read often while one of the newest is under way. */
export function useDeliveries(id: string, filters: Filters): List<Delivery> {
  const [isOpen, setOpen] = useState(false);
  const everyMs = isOpen || isSendingAgain.value ? SOON_MS : EVERY_MS;
  const list = useList<Delivery>(
    ['webhooks', id, 'deliveries', filters],
    (place) => api.webhooks.listDeliveries(id, { ...(filters as object), ...place }),
    { everyMs },
  );
  const isUnderWayNow = list.items?.slice(0, NEWEST).some(({ status }) => isUnderWay(status)) === true;
  useEffect(() => setOpen(isUnderWayNow), [isUnderWayNow]);
  return list;
}

export const isUnderWay = (status: Delivery['status']): boolean => status !== 'delivered' && status !== 'failed';

const REASONS: Readonly<Record<string, [label: string, detail: string]>> = {
  failing: ['turned off: failing', 'turned off: deliveries kept failing'],
  gone: ['turned off: gone', 'turned off: the receiver replied that it is gone'],
  blocked: ['turned off: blocked', 'turned off: the address is blocked'],
};

export interface Health {
  kind: StatusKind;
  label: string;
  /** The same at length. */
  detail: string;
}

const health = (kind: StatusKind, label: string, detail = label): Health => ({ kind, label, detail });

/** How deliveries to the webhook go. */
export function healthOf({ enabled, disabledReason, consecutiveFailures, lastDeliveryAt }: Webhook): Health {
  const reason = REASONS[disabledReason ?? ''];
  if (!enabled) return reason ? health('failed', ...reason) : health('cancelled', 'off');
  if (consecutiveFailures >= FAILING_FROM) return health('failed', `failing: ${failures(consecutiveFailures)}`);
  if (consecutiveFailures > 0) return health('waiting', failures(consecutiveFailures));
  return lastDeliveryAt === null ? health('skipped', 'not used yet') : health('succeeded', 'working');
}

const failures = (count: number): string => `${count} ${count === 1 ? 'failure' : 'failures in a row'}`;

const RANKS: readonly StatusKind[] = ['failed', 'waiting', 'succeeded', 'skipped', 'cancelled'];

const rankOf = (webhook: Webhook): number => RANKS.indexOf(healthOf(webhook).kind);

const byHealth = (one: Webhook, other: Webhook): number =>
  rankOf(one) - rankOf(other) ||
  other.consecutiveFailures - one.consecutiveFailures ||
  one.name.localeCompare(other.name);

const STATUS_KINDS: Readonly<Record<string, StatusKind>> = {
  pending: 'waiting',
  delivering: 'running',
  retrying: 'waiting',
  delivered: 'succeeded',
  failed: 'failed',
};

export const kindOfDelivery = ({ status }: Delivery): StatusKind => STATUS_KINDS[status] ?? 'skipped';

/** Why deliveries fail for good, and what to do about it. */
export const CAUSES: Readonly<Record<string, string>> = {
  ATTEMPTS_EXHAUSTED: 'Every attempt failed. Once the receiver works again, redeliver it.',
  BLOCKED_TARGET: 'The address may not be reached. Change the address of the webhook.',
  GONE: 'The receiver replied 410: it no longer exists. Change the address, or delete the webhook.',
  WEBHOOK_DISABLED: 'The webhook was off. Turn it on, then redeliver this.',
  WEBHOOK_DELETED: 'The webhook was deleted.',
  INVALID_URL: 'The address is not valid. Change the address of the webhook.',
};
