import type { EventEnvelope, OutboxRecord } from '../../../../shared/domains/events/index.ts';
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
} from '../../../../shared/domains/webhooks/index.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { idAt } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { chatMessage } from './chat-message.ts';
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

/** A batch of a hundred events in a workspace of two hundred webhooks is twenty thousand writes. */
const WRITES_AT_ONCE = 32;

/**
 * Makes one delivery per subscribed webhook of each event, and wakes the sender. A delivery's id follows from event and
 * webhook, so an event that is read twice from the stream is delivered under one id; the queue may hear of it twice,
 * which its sender absorbs. Records come before messages, and whoever finds what the queue loses comes before records.
 */
export async function fanOut(deps: FanOutDeps, records: readonly OutboxRecord[]): Promise<void> {
  const now = deps.now();
  const told = await recipients(deps, records);
  const busy = new Set(told.filter(({ state, events }) => deps.recent.isBusy(state.webhook.id, events.length, now)));
  await inParallel(WRITES_AT_ONCE, [...busy], async ({ state, events }) => {
    const oldest = events.map(({ timestamp }) => timestamp).sort()[0]!;
    if (!isWatched(state.watches, oldest, now)) await addWatch(deps.table, state.webhook, oldest, now);
  });
  const made = told.flatMap((each) =>
    each.events.map((event) => newDelivery(event, each.state.webhook, { now, isWatched: busy.has(each) })),
  );
  const isApart = ({ health }: WebhookState) => isSlow(health, now) || health.answeredAt === null;
  const slow = new Set(told.filter(({ state }) => isApart(state)).map(({ state }) => state.webhook.id));
  // The main lane first: those who answer do not wait until all others have their records.
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

/** Webhooks with those of the events that each is to be told of. */
async function recipients(
  deps: FanOutDeps,
  records: readonly OutboxRecord[],
): Promise<{ state: WebhookState; events: OutboxRecord[] }[]> {
  const workspaces = new Map<string, OutboxRecord[]>();
  for (const record of records) {
    workspaces.set(record.workspaceId, [...(workspaces.get(record.workspaceId) ?? []), record]);
  }
  const told = await Promise.all(
    [...workspaces].map(async ([workspaceId, happened]) =>
      (await deps.webhooks.all(workspaceId)).map((state) => ({
        state,
        events: happened.filter((record) => isToBeReported(state.webhook, record)),
      })),
    ),
  );
  return told.flat().filter(({ events }) => events.length > 0);
}

/** One that somebody switched off is told nothing; what one misses that we switched off is kept for redelivery. */
function isToBeReported(webhook: StoredWebhook, { webhookId, event }: OutboxRecord): boolean {
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
  const isTest = record.webhookId !== undefined;
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
    body: JSON.stringify(webhook.kind === 'chat' ? chatMessage(envelope) : envelope),
    leaseUntil: null,
    claim: null,
    heldUntil: null,
    ...(isMissed || isWatched ? NO_CHECK : nextCheckAt({ id }, now, now)),
    createdAt: at,
    updatedAt: at,
  };
}
