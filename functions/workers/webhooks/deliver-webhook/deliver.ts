import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
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
  type StoredDelivery,
  type StoredWebhook,
  slowUntilAfter,
  type WebhookHealth,
  type WebhookQueue,
  type WebhookRepository,
} from '../../../../shared/domains/webhooks/index.ts';
import type { SecretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { AddressBlocked, type AddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { check, type Verdict } from './attempt-result.ts';
import { passageOf } from './gate.ts';
import { noteOutcome, type OutcomeDeps } from './outcome.ts';
import { type PermitKind, permitKind } from './permit-rules.ts';
import type { Permit, Permits } from './permits.ts';
import { blockedError, type PreparedRequest, prepareRequest } from './prepare.ts';
import { send } from './send.ts';
import { settledAs } from './settled.ts';

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
  /** Told when a request has been under way for a second, and may be for nine more. */
  held: () => void;
  /** Seconds before the second, third, … attempt. */
  backoffSeconds: readonly number[];
}

/** Null: nothing more to do for this message. Otherwise a message like it is due after that many seconds, in that lane. */
export type LookAgain = { afterSeconds: number; lane: Lane; waits?: number } | null;

const HELD_AFTER_MS = 1_000;
/** A sender that has not written its outcome this long after its request's timeout has died. */
export const LEASE_MARGIN_MS = 5_000;

/**
 * Makes the next attempt of a delivery. The attempt is claimed by a conditional write before anything is sent: two
 * senders never make the same attempt, and five is a hard cap whatever is delivered twice or dies.
 */
export async function deliver(
  deps: DeliverDeps,
  name: DeliveryName & { waits?: number; lane: Lane },
): Promise<LookAgain> {
  const delivery = await deps.deliveries.get(name);
  if (!delivery || !isOpen(delivery)) return null;
  const wait = secondsUntilDue(delivery, deps.now());
  if (wait > 0) return { afterSeconds: wait, lane: name.lane };

  const known = await deps.webhooks.withHealth(name.workspaceId, name.webhookId);
  const passage = passageOf(delivery, known, deps.now());
  if (passage.kind === 'fail') return fail(deps, delivery, passage.error, passage.reason);
  if (passage.kind === 'hold') return hold(deps, delivery, passage.until);
  const webhook = known.webhook!;
  const { health } = known;

  if (name.lane === 'main' && isSlow(health, deps.now())) return { afterSeconds: 0, lane: 'slow' };

  const kind = permitKind(health, deps.now());
  const permit = await deps.permits.take(name.workspaceId, { id: webhook.id, kind });
  if (!permit) {
    const waits = name.waits ?? 0;
    // Whoever is in doubt does not keep senders of the main lane busy with waiting.
    const lane = kind === 'proven' ? name.lane : 'slow';
    return { afterSeconds: secondsInLine(waits, kind, deps.random), waits: waits + 1, lane };
  }
  let result: Result | undefined;
  try {
    if (passage.kind === 'probe' && !(await deps.health.takeProbe(webhook, health, deps.now()))) {
      return await hold(deps, delivery, passage.until);
    }
    result = await attempt(deps, delivery, { webhook, health, permit });
    if (result?.verdict.next !== 'retry') return null;
    return { afterSeconds: result.verdict.delayMs / 1000, lane: result.isLate ? 'slow' : name.lane };
  } finally {
    deps.permits.giveBack(permit, { works: result?.verdict.next === 'delivered' });
  }
}

interface Result {
  verdict: Verdict;
  isLate: boolean;
}

/** What came of the attempt; undefined when nothing was sent. */
async function attempt(
  deps: DeliverDeps,
  delivery: StoredDelivery,
  { webhook, health, permit }: { webhook: StoredWebhook; health: WebhookHealth; permit: Permit },
): Promise<Result | undefined> {
  let request: PreparedRequest;
  try {
    const body = await deps.deliveries.body(delivery);
    request = await prepareRequest(deps, { delivery, body, webhook, sentAt: deps.now() });
  } catch (error) {
    if (!(error instanceof AddressBlocked)) throw error;
    const code = blockedError(error);
    await fail(deps, delivery, code, 'the address may not be reached');
    await noteOutcome(deps, { webhook, health }, delivery, { next: 'failed', error: code });
    return undefined;
  }
  const claimed = await claim(deps, delivery);
  if (!claimed) return undefined;
  let late: Promise<void> | undefined;
  const timers = [
    setTimeout(deps.held, HELD_AFTER_MS),
    setTimeout(() => {
      late = keepApart(deps, { webhook, health, permit });
    }, LATE_AFTER_MS),
  ];
  const verdict = await verdictOn(deps, claimed, request).finally(() => timers.forEach(clearTimeout));
  await patiently(() => deps.deliveries.move(claimed, settledAs(claimed, verdict, deps.now())));
  await late;
  await noteOutcome(deps, { webhook, health }, delivery, verdict);
  return { verdict, isLate: late !== undefined };
}

/**
 * Its receiver lets the request wait: that is said at once, while the request goes on, so that what comes for the webhook
 * takes the slow lane and others have the permits of those that answer.
 */
async function keepApart(
  { permits, health: store, now }: DeliverDeps,
  { webhook, health, permit }: { webhook: StoredWebhook; health: WebhookHealth; permit: Permit },
): Promise<void> {
  permits.doubt(permit);
  const until = slowUntilAfter(health, now());
  // It only helps others: what the attempt comes to is worth more than that.
  if (until !== null) await store.recordSlow(webhook, until).catch(() => undefined);
}

const MAX_SECONDS_IN_LINE: Record<PermitKind, number> = { proven: 8, doubtful: 8, failing: 30 };

/** All permits are in use: the longer the line, the less often one asks. */
function secondsInLine(waits: number, kind: PermitKind, random: () => number): number {
  return Math.min(2 ** waits, MAX_SECONDS_IN_LINE[kind]) * (1 + random());
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

async function verdictOn(deps: DeliverDeps, delivery: StoredDelivery, request: PreparedRequest): Promise<Verdict> {
  try {
    const outcome = await send(deps.guard, { ...request, timeoutMs: deps.timeoutMs });
    const { backoffSeconds, random } = deps;
    const { attempts, maxAttempts } = delivery;
    return check(outcome, { attempt: attempts, maxAttempts, backoffSeconds, now: deps.now(), random });
  } catch (error) {
    if (!(error instanceof AddressBlocked)) throw error;
    return { next: 'failed', error: blockedError(error), reason: 'the address may not be reached', status: null };
  }
}

/** What came of a request is worth waiting for the table: forgotten, it would be sent again. */
async function patiently(write: () => Promise<unknown>): Promise<void> {
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

/** Nobody looks at it again before its webhook is ready for it (`care.ts`) or `until` has come. */
async function hold(deps: DeliverDeps, delivery: StoredDelivery, until: string): Promise<LookAgain> {
  const { workspaceId, webhookId } = delivery;
  const updatedAt = later(delivery.updatedAt, deps.now());
  // First, so that what is held is never without somebody who cares.
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
): Promise<LookAgain> {
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
