import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttemptResult,
  blockedError,
  check,
  type DeliveryError,
  type DeliveryName,
  type DeliveryRepository,
  type HealthStore,
  heldCheck,
  isOpen,
  isSlow,
  LATE_AFTER_MS,
  type Lane,
  NO_CHECK,
  recordAttempt,
  type StoredAttempt,
  type StoredDelivery,
  type StoredWebhook,
  send,
  shownReply,
  slowUntilAfter,
  type WebhookHealth,
  type WebhookQueue,
  type WebhookRepository,
} from '../../../../shared/domains/events/webhooks/index.ts';
import type { SecretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { AddressBlocked, type AddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { nextAction } from './next-action.ts';
import { type OutcomeDeps, recordOutcome } from './outcome.ts';
import { type PermitKind, permitKind } from './permit-rules.ts';
import type { Permit, Permits } from './permits.ts';
import { type PreparedRequest, prepareRequest } from './prepare.ts';
import { settledDelivery } from './settled.ts';

export interface DeliverDeps extends OutcomeDeps {
  webhooks: WebhookRepository;
  deliveries: DeliveryRepository;
  health: HealthStore;
  queue: WebhookQueue;
  permits: Permits;
  secrets: SecretBox;
  guard: AddressGuard;
  now: () => Date;
  random: () => number;
  timeoutMs: number;
  /** Called when a request has run for a second and may run for nine more. */
  onLongRequest: () => void;
  /** Seconds before the second, third, … attempt. */
  backoffSeconds: readonly number[];
}

/** When and in which lane the message is sent again; null when nothing is left to do for it. */
export type FollowUp = { afterSeconds: number; lane: Lane; waits?: number } | null;

const LONG_REQUEST_MS = 1_000;
/** A sender that has not stored its outcome this long after its request timed out has crashed. */
export const LEASE_MARGIN_MS = 5_000;

/**
 * Makes the next attempt of a delivery. A conditional write claims the attempt before anything is sent. Two senders
 * therefore never make the same attempt, and five attempts are a hard cap even after duplicate messages and crashes.
 */
export async function deliver(
  deps: DeliverDeps,
  name: DeliveryName & { waits?: number; lane: Lane },
): Promise<FollowUp> {
  const delivery = await deps.deliveries.get(name);
  if (!delivery || !isOpen(delivery)) return null;
  const wait = secondsUntilDue(delivery, deps.now());
  if (wait > 0) return { afterSeconds: wait, lane: name.lane };

  const known = await deps.webhooks.withHealth(name.workspaceId, name.webhookId);
  const action = nextAction(delivery, known, deps.now());
  if (action.kind === 'fail') return fail(deps, delivery, action.error, action.reason);
  if (action.kind === 'hold') return park(deps, delivery, action.until);
  const webhook = known.webhook!;
  const { health } = known;

  if (name.lane === 'main' && isSlow(health, deps.now())) return { afterSeconds: 0, lane: 'slow' };

  const kind = permitKind(health, deps.now());
  const permit = await deps.permits.take(name.workspaceId, { id: webhook.id, kind });
  if (!permit) {
    const waits = name.waits ?? 0;
    // A webhook that is not proven waits in the slow lane, so that it does not occupy senders of the main lane.
    const lane = kind === 'proven' ? name.lane : 'slow';
    return { afterSeconds: permitWaitSeconds(waits, kind, deps.random), waits: waits + 1, lane };
  }
  let attempted: Attempted | undefined;
  try {
    if (action.kind === 'probe' && !(await deps.health.takeProbe(webhook, health, deps.now()))) {
      return await park(deps, delivery, action.until);
    }
    attempted = await attempt(deps, delivery, { webhook, health, permit });
    if (attempted?.result.next !== 'retry') return null;
    return { afterSeconds: attempted.result.delayMs / 1000, lane: attempted.isSlow ? 'slow' : name.lane };
  } finally {
    deps.permits.giveBack(permit, { works: attempted?.result.next === 'delivered' });
  }
}

interface Attempted {
  result: AttemptResult;
  isSlow: boolean;
}

/** Makes the attempt; undefined when no request was sent. */
async function attempt(
  deps: DeliverDeps,
  delivery: StoredDelivery,
  { webhook, health, permit }: { webhook: StoredWebhook; health: WebhookHealth; permit: Permit },
): Promise<Attempted | undefined> {
  let request: PreparedRequest;
  try {
    const body = await deps.deliveries.body(delivery);
    request = await prepareRequest(deps, { delivery, body, webhook, sentAt: deps.now() });
  } catch (error) {
    if (!(error instanceof AddressBlocked)) throw error;
    const code = blockedError(error);
    await fail(deps, delivery, code, 'the target address is not allowed');
    await recordOutcome(deps, { webhook, health }, delivery, { next: 'failed', error: code });
    return undefined;
  }
  const claimed = await claim(deps, delivery);
  if (!claimed) return undefined;
  let marking: Promise<void> | undefined;
  const timers = [
    setTimeout(deps.onLongRequest, LONG_REQUEST_MS),
    setTimeout(() => {
      marking = markSlow(deps, { webhook, health, permit });
    }, LATE_AFTER_MS),
  ];
  const sent = await sendRequest(deps, claimed, request).finally(() => timers.forEach(clearTimeout));
  const { result } = sent;
  await withRetries(() => deps.deliveries.move(claimed, settledDelivery(claimed, result, deps.now())));
  // The outcome counts even if its details are lost.
  if (sent.details) await recordAttempt(deps.table, claimed, sent.details).catch(() => undefined);
  await marking;
  await recordOutcome(deps, { webhook, health }, delivery, result);
  return { result, isSlow: marking !== undefined };
}

/**
 * Marks the webhook as slow while the request is still running: its next deliveries take the slow lane, and its permit
 * no longer counts against proven webhooks.
 */
async function markSlow(
  { permits, health: store, now }: DeliverDeps,
  { webhook, health, permit }: { webhook: StoredWebhook; health: WebhookHealth; permit: Permit },
): Promise<void> {
  permits.markDoubtful(permit);
  const until = slowUntilAfter(health, now());
  // This only helps other webhooks, so an error must not lose the outcome of the attempt.
  if (until !== null) await store.recordSlow(webhook, until).catch(() => undefined);
}

const MAX_WAIT_SECONDS: Record<PermitKind, number> = { proven: 8, doubtful: 8, failing: 30 };

/** Backs off while all permits are in use: the longer the wait so far, the longer the next one. */
function permitWaitSeconds(waits: number, kind: PermitKind, random: () => number): number {
  return Math.min(2 ** waits, MAX_WAIT_SECONDS[kind]) * (1 + random());
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
    heldUntil: null,
    claim: randomBytes(6).toString('base64url'),
    leaseUntil: new Date(now.getTime() + deps.timeoutMs + LEASE_MARGIN_MS).toISOString(),
    updatedAt: later(delivery.updatedAt, now),
  };
  return (await deps.deliveries.move(delivery, claimed)) ? claimed : undefined;
}

async function sendRequest(
  deps: DeliverDeps,
  delivery: StoredDelivery,
  request: PreparedRequest,
): Promise<{ result: AttemptResult; details?: StoredAttempt }> {
  const at = deps.now();
  try {
    const outcome = await send(deps.guard, { ...request, timeoutMs: deps.timeoutMs });
    const { backoffSeconds, random } = deps;
    const { attempts, maxAttempts } = delivery;
    const now = deps.now();
    const result = check(outcome, { attempt: attempts, maxAttempts, backoffSeconds, now, random });
    const text = outcome.kind === 'answer' ? outcome.text : undefined;
    const details: StoredAttempt = {
      number: attempts,
      at: at.toISOString(),
      durationMs: now.getTime() - at.getTime(),
      responseStatus: result.status,
      error: result.next === 'delivered' ? null : result.reason,
      reply: text === undefined ? null : shownReply(text, request.headers),
    };
    return { result, details };
  } catch (error) {
    if (!(error instanceof AddressBlocked)) throw error;
    const reason = 'the target address is not allowed';
    // Nothing was sent, so it is not an attempt.
    return { result: { next: 'failed', error: blockedError(error), reason, status: null } };
  }
}

/** Retries the write while the table is unavailable. If the outcome were lost, the request would be sent again. */
async function withRetries(write: () => Promise<unknown>): Promise<void> {
  for (let waitMs = 200; ; waitMs *= 2) {
    try {
      await write();
      return;
    } catch (error) {
      if (waitMs > 1000) throw error;
      await sleep(waitMs);
    }
  }
}

/** Parks the delivery until its webhook is ready for it (`health-checks.ts`) or `until` has passed. */
async function park(deps: DeliverDeps, delivery: StoredDelivery, until: string): Promise<FollowUp> {
  const { workspaceId, webhookId } = delivery;
  const updatedAt = later(delivery.updatedAt, deps.now());
  // First, so that a parked delivery always has a health check that releases it.
  await deps.health.recordHeld({ workspaceId, id: webhookId }, deps.now());
  await deps.deliveries.move(delivery, {
    ...delivery,
    leaseUntil: null,
    heldUntil: until,
    ...heldCheck(delivery, until),
    updatedAt,
  });
  return null;
}

/** Ends a delivery without a request. */
export async function fail(
  deps: Pick<DeliverDeps, 'deliveries' | 'now'>,
  delivery: StoredDelivery,
  errorCode: DeliveryError,
  lastError: string,
): Promise<FollowUp> {
  await deps.deliveries.move(delivery, {
    ...delivery,
    status: 'failed',
    errorCode,
    lastError,
    nextRetryAt: null,
    leaseUntil: null,
    heldUntil: null,
    ...NO_CHECK,
    updatedAt: later(delivery.updatedAt, deps.now()),
  });
  return null;
}
