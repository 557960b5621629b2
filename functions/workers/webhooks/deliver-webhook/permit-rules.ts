import { isSlow, type WebhookHealth } from '../../../../shared/domains/webhooks/index.ts';

/**
 * How a webhook is doing, as far as its requests may get in the way of others: one that fails, or answers late, is likely
 * to hold a permit until the timeout, and so may one that has never answered. A proven one that lets a request wait is in
 * doubt from then on.
 */
export type PermitKind = 'proven' | 'doubtful' | 'failing';

export function permitKind(health: WebhookHealth, now: Date): PermitKind {
  if (health.consecutiveFailures > 0) return 'failing';
  return health.answeredAt === null || isSlow(health, now) ? 'doubtful' : 'proven';
}

/** Permits that one sender has for one webhook. */
export interface Lease {
  webhookId: string;
  kind: PermitKind;
  /** Requests that it may have under way. */
  count: number;
}

/** Counts of permits in use, by name; a name that is missing counts as 0. */
export type Counters = Record<string, number>;

const PROMPT = 'prompt';
const UNPROVEN = 'unproven';
const ofWebhook = (id: string) => `w#${id}`;
const ofFailing = (id: string) => `f#${id}`;

const MAX_PER_WEBHOOK = 10;
/** A webhook that fails has others behind it. */
const MAX_PER_FAILING_WEBHOOK = 2;
/** Together, of a workspace, to webhooks that are not proven. Requests that came into doubt under way are on top of that. */
const MAX_FOR_UNPROVEN = 25;
/**
 * Together, of a workspace, to proven webhooks: as many as it may have webhooks. They give their permits back, or come
 * into doubt, within moments, so that however many begin to hang at once the others go on.
 */
const MAX_FOR_PROVEN = 200;

/** The counters in which a lease counts. */
function countersOf({ webhookId, kind }: Pick<Lease, 'webhookId' | 'kind'>): string[] {
  return [
    kind === 'proven' ? PROMPT : UNPROVEN,
    ofWebhook(webhookId),
    ...(kind === 'failing' ? [ofFailing(webhookId)] : []),
  ];
}

/** The most that a counter may say. */
export function limitOf(counter: string): number {
  if (counter === PROMPT) return MAX_FOR_PROVEN;
  if (counter === UNPROVEN) return MAX_FOR_UNPROVEN;
  return counter.startsWith('f#') ? MAX_PER_FAILING_WEBHOOK : MAX_PER_WEBHOOK;
}

export const isCounter = (name: string): boolean => name === PROMPT || name === UNPROVEN || /^[wf]#/.test(name);

/** What leases add up to. */
export function countedUp(leases: readonly Lease[]): Counters {
  const counters: Counters = {};
  for (const lease of leases) {
    for (const name of countersOf(lease)) counters[name] = (counters[name] ?? 0) + lease.count;
  }
  return counters;
}

/** The counters of permits that `after` has beyond `before`; that a webhook came into doubt makes no new ones. */
export function added(before: readonly Lease[], after: readonly Lease[]): Counters {
  const had = new Map(before.map(({ webhookId, count }) => [webhookId, count]));
  return countedUp(
    after.map((lease) => ({ ...lease, count: Math.max(0, lease.count - (had.get(lease.webhookId) ?? 0)) })),
  );
}

/** `counters` with the leases of one sender replaced. */
export function replaced(counters: Counters, before: readonly Lease[], after: readonly Lease[]): Counters {
  const result = { ...counters };
  for (const [name, count] of Object.entries(countedUp(before))) result[name] = (result[name] ?? 0) - count;
  for (const [name, count] of Object.entries(countedUp(after))) result[name] = (result[name] ?? 0) + count;
  return result;
}

/** How many more permits a webhook may have beside those that are counted. */
export function roomFor(counters: Counters, asked: Pick<Lease, 'webhookId' | 'kind'>): number {
  const room = countersOf(asked).map((name) => limitOf(name) - (counters[name] ?? 0));
  return Math.max(0, Math.min(...room));
}

/** Whether idle permits should be given back rather than kept for the next delivery: others may be waiting for them. */
export function isCrowded(counters: Counters, lease: Pick<Lease, 'webhookId' | 'kind'>): boolean {
  return countersOf(lease).some((name) => (counters[name] ?? 0) > limitOf(name) / 2);
}
