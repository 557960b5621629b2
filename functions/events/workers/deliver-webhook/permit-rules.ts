import { isSlow, type WebhookHealth } from '../../../../shared/domains/events/webhooks/index.ts';

/**
 * How likely a webhook is to hold its permit until the timeout. `failing`: it fails or replies late. `doubtful`: it has
 * never replied, or is slow to reply to a request in progress. `proven`: it has replied in time.
 */
export type PermitKind = 'proven' | 'doubtful' | 'failing';

export function permitKind(health: WebhookHealth, now: Date): PermitKind {
  if (health.consecutiveFailures > 0) return 'failing';
  return health.answeredAt === null || isSlow(health, now) ? 'doubtful' : 'proven';
}

/** The permits that one sender holds for one webhook. */
export interface Lease {
  webhookId: string;
  kind: PermitKind;
  /** How many requests may be in progress. */
  count: number;
}

/** Permits in use per counter; a missing counter is 0. */
export type Counters = Record<string, number>;

const PROMPT = 'prompt';
const UNPROVEN = 'unproven';
const ofWebhook = (id: string) => `w#${id}`;
const ofFailing = (id: string) => `f#${id}`;

const MAX_PER_WEBHOOK = 10;
/** A failing webhook must not take permits from others. */
const MAX_PER_FAILING_WEBHOOK = 2;
/**
 * Limit per workspace for all webhooks that are not proven. Requests that became doubtful while in progress are not
 * counted against it.
 */
const MAX_FOR_UNPROVEN = 25;
/**
 * Limit per workspace for all proven webhooks, equal to the number of webhooks that a workspace may have. Proven
 * webhooks return their permits or become doubtful within moments, so others proceed even if many stop replying at
 * once.
 */
const MAX_FOR_PROVEN = 200;

/** The counters that a lease counts towards. */
function countersOf({ webhookId, kind }: Pick<Lease, 'webhookId' | 'kind'>): string[] {
  return [
    kind === 'proven' ? PROMPT : UNPROVEN,
    ofWebhook(webhookId),
    ...(kind === 'failing' ? [ofFailing(webhookId)] : []),
  ];
}

/** The limit of a counter. */
export function limitOf(counter: string): number {
  if (counter === PROMPT) return MAX_FOR_PROVEN;
  if (counter === UNPROVEN) return MAX_FOR_UNPROVEN;
  return counter.startsWith('f#') ? MAX_PER_FAILING_WEBHOOK : MAX_PER_WEBHOOK;
}

export const isCounter = (name: string): boolean => name === PROMPT || name === UNPROVEN || /^[wf]#/.test(name);

/** Sums leases per counter. */
export function sumLeases(leases: readonly Lease[]): Counters {
  const counters: Counters = {};
  for (const lease of leases) {
    for (const name of countersOf(lease)) counters[name] = (counters[name] ?? 0) + lease.count;
  }
  return counters;
}

/** The permits per counter that `after` has beyond `before`. A webhook that became doubtful adds none. */
export function addedPermits(before: readonly Lease[], after: readonly Lease[]): Counters {
  const had = new Map(before.map(({ webhookId, count }) => [webhookId, count]));
  return sumLeases(
    after.map((lease) => ({ ...lease, count: Math.max(0, lease.count - (had.get(lease.webhookId) ?? 0)) })),
  );
}

/** Returns `counters` with the leases of one sender replaced. */
export function withReplacedLeases(counters: Counters, before: readonly Lease[], after: readonly Lease[]): Counters {
  const result = { ...counters };
  for (const [name, count] of Object.entries(sumLeases(before))) result[name] = (result[name] ?? 0) - count;
  for (const [name, count] of Object.entries(sumLeases(after))) result[name] = (result[name] ?? 0) + count;
  return result;
}

/** How many more permits a webhook may take. */
export function freePermits(counters: Counters, webhook: Pick<Lease, 'webhookId' | 'kind'>): number {
  const free = countersOf(webhook).map((name) => limitOf(name) - (counters[name] ?? 0));
  return Math.max(0, Math.min(...free));
}

/**
 * Whether idle permits are returned at once instead of being reused by the next delivery, because others may wait for
 * them.
 */
export function isCrowded(counters: Counters, lease: Pick<Lease, 'webhookId' | 'kind'>): boolean {
  return countersOf(lease).some((name) => (counters[name] ?? 0) > limitOf(name) / 2);
}
