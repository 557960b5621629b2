import type { EventEnvelope, OutboxRecord } from '../../../../shared/domains/events/events/index.ts';
import {
  addWatch,
  type DeliveryRepository,
  isSlow,
  isWatched,
  LANES,
  MAX_ATTEMPTS,
  NO_CHECK,
  nextCheckAt,
  type StoredDelivery,
  type StoredWebhook,
  type WebhookLanes,
  type WebhookRepository,
  type WebhookState,
} from '../../../../shared/domains/events/webhooks/index.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { idAt } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { eventMessage } from './event-message.ts';
import type { RecentWebhooks } from './recent.ts';

export interface FanOutDeps {
  table: Table;
  webhooks: WebhookRepository;
  deliveries: DeliveryRepository;
  lanes: WebhookLanes;
  recent: RecentWebhooks;
  now: () => Date;
}

type NewDelivery = StoredDelivery & { body: string };

/** A batch of a hundred events in a workspace with two hundred webhooks makes twenty thousand writes. */
const WRITES_AT_ONCE = 32;

/**
 * Creates one delivery per event and subscribed webhook, and queues them. The delivery's id derives from event and
 * webhook, so an event that is read twice from the stream is delivered under one id; a duplicate message is harmless.
 * Watches are stored before records, and records before messages, so that a lost message is always found.
 */
export async function fanOut(deps: FanOutDeps, records: readonly OutboxRecord[]): Promise<void> {
  const now = deps.now();
  const subscribed = await recipients(deps, records);
  const busy = new Set(
    subscribed.filter(({ state, events }) => deps.recent.isBusy(state.webhook.id, events.length, now)),
  );
  await inParallel(WRITES_AT_ONCE, [...busy], async ({ state, events }) => {
    const oldest = events.map(({ timestamp }) => timestamp).sort()[0]!;
    if (!isWatched(state.watches, oldest, now)) await addWatch(deps.table, state.webhook, oldest, now);
  });
  const made = subscribed.flatMap((each) =>
    each.events.map((event) => newDelivery(event, each.state.webhook, { now, isWatched: busy.has(each) })),
  );
  const takesSlowLane = ({ health }: WebhookState) => isSlow(health, now) || health.answeredAt === null;
  const slow = new Set(subscribed.filter(({ state }) => takesSlowLane(state)).map(({ state }) => state.webhook.id));
  // The main lane goes first: fast receivers do not wait until slow ones have their records.
  for (const lane of LANES) {
    const here = made.filter(({ webhookId }) => slow.has(webhookId) === (lane === 'slow'));
    await inParallel(WRITES_AT_ONCE, here, (delivery) => deps.deliveries.create(delivery));
    const open = here.filter(({ status }) => status === 'pending');
    await deps.lanes[lane].send(
      open.map(({ workspaceId, webhookId, id }) => ({
        message: { kind: 'deliver', workspaceId, webhookId, deliveryId: id },
        delaySeconds: 0,
      })),
    );
  }
}

/** The webhooks that are subscribed to at least one of the events, each with its events. */
async function recipients(
  deps: FanOutDeps,
  records: readonly OutboxRecord[],
): Promise<{ state: WebhookState; events: OutboxRecord[] }[]> {
  const workspaces = new Map<string, OutboxRecord[]>();
  for (const record of records) {
    workspaces.set(record.workspaceId, [...(workspaces.get(record.workspaceId) ?? []), record]);
  }
  const subscribed = await Promise.all(
    [...workspaces].map(async ([workspaceId, happened]) =>
      (await deps.webhooks.all(workspaceId)).map((state) => ({
        state,
        events: happened.filter((record) => isSubscribed(state.webhook, record)),
      })),
    ),
  );
  return subscribed.flat().filter(({ events }) => events.length > 0);
}

/**
 * A webhook that was disabled by hand receives nothing. For one that the platform disabled, deliveries are stored as
 * failed and can be redelivered.
 */
function isSubscribed(webhook: StoredWebhook, { webhookId, event }: OutboxRecord): boolean {
  if (webhookId !== undefined) return webhook.id === webhookId;
  if (!webhook.enabled && webhook.disabledReason === 'manual') return false;
  return webhook.events.includes(event) || webhook.events.includes('*');
}

function newDelivery(
  record: OutboxRecord,
  webhook: StoredWebhook,
  { now, isWatched }: { now: Date; isWatched: boolean },
): NewDelivery {
  const envelope = { event: record.event, timestamp: record.timestamp, data: record.data } as EventEnvelope;
  const at = now.toISOString();
  const id = idAt(new Date(record.timestamp), 'delivery', record.id, webhook.id);
  const isTest = record.event === 'webhook.test';
  const isMissed = !webhook.enabled && !isTest;
  return {
    id,
    workspaceId: record.workspaceId,
    webhookId: webhook.id,
    event: record.event,
    status: isMissed ? 'failed' : 'pending',
    attempts: 0,
    maxAttempts: MAX_ATTEMPTS,
    lastError: isMissed ? 'the webhook is disabled' : null,
    errorCode: isMissed ? 'WEBHOOK_DISABLED' : null,
    responseStatus: null,
    nextRetryAt: null,
    deliveredAt: null,
    isTest,
    body: JSON.stringify(webhook.kind === 'chat' ? eventMessage(envelope) : envelope),
    leaseUntil: null,
    claim: null,
    heldUntil: null,
    ...(isMissed || isWatched ? NO_CHECK : nextCheckAt({ id }, now, now)),
    createdAt: at,
    updatedAt: at,
  };
}
