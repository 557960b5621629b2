import { isSlow, type WebhookHealth } from '../../../shared/webhooks/health.ts';

/**
 * How a webhook is doing, as far as its requests may get in the way of others: one that fails, or answers late, is likely
 * to hold a permit until the timeout, and so may one that has never answered.
 */
export type PermitKind = 'proven' | 'doubtful' | 'failing';

export function permitKind(health: WebhookHealth, now: Date): PermitKind {
  if (health.consecutiveFailures > 0) return 'failing';
  return health.answeredAt === null || isSlow(health, now) ? 'doubtful' : 'proven';
}

/** Permits that one sender has for one webhook. They lapse by themselves, so a sender that dies keeps none. */
export interface Lease {
  sender: string;
  webhookId: string;
  kind: PermitKind;
  /** Requests that it may have under way. */
  count: number;
  /** Milliseconds of the epoch. */
  until: number;
}

const MOST_PER_WEBHOOK = 10;
const MOST_PER_WORKSPACE = 50;
/** A webhook that fails has others behind it. */
const MOST_PER_FAILING_WEBHOOK = 2;
/** Of the workspace's permits, so many may go to webhooks that are not proven: the rest keep moving. */
const MOST_FOR_UNPROVEN = 25;

/** How many more permits a webhook may have beside those that are leased. */
export function roomFor(leases: readonly Lease[], asked: { webhookId: string; kind: PermitKind }): number {
  const used = (those: (lease: Lease) => boolean) => leases.filter(those).reduce((sum, { count }) => sum + count, 0);
  const isOfWebhook = ({ webhookId }: Lease) => webhookId === asked.webhookId;
  const room = [MOST_PER_WORKSPACE - used(() => true), MOST_PER_WEBHOOK - used(isOfWebhook)];
  if (asked.kind !== 'proven') room.push(MOST_FOR_UNPROVEN - used(({ kind }) => kind !== 'proven'));
  if (asked.kind === 'failing') {
    room.push(MOST_PER_FAILING_WEBHOOK - used((lease) => isOfWebhook(lease) && lease.kind === 'failing'));
  }
  return Math.max(0, Math.min(...room));
}

/** Whether idle permits should be given back rather than kept for the next delivery: others may be waiting for them. */
export function isCrowded(leases: readonly Lease[], webhook: { webhookId: string; kind: PermitKind }): boolean {
  const used = (those: readonly Lease[]) => those.reduce((sum, { count }) => sum + count, 0);
  const ofWebhook = used(leases.filter(({ webhookId }) => webhookId === webhook.webhookId));
  const unproven = used(leases.filter(({ kind }) => kind !== 'proven'));
  return (
    ofWebhook > MOST_PER_WEBHOOK / 2 ||
    used(leases) > MOST_PER_WORKSPACE / 2 ||
    (webhook.kind !== 'proven' && unproven > MOST_FOR_UNPROVEN / 2)
  );
}
