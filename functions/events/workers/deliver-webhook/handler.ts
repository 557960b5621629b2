import type { ScheduledEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import {
  type DeliveryMessage,
  deliveryRepository,
  healthStore,
  isOpen,
  type Lane,
  MAX_DELAY_SECONDS,
  webhookLanes,
  webhookRepository,
} from '../../../../shared/domains/events/webhooks/index.ts';
import { MasterSecret, parameterReader } from '../../../../shared/platform/crypto/master-secret.ts';
import { secretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { guardFromEnvironment } from '../../../../shared/platform/net/guard-from-environment.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import { type DeliverDeps, deliver, type FollowUp, fail, LEASE_MARGIN_MS } from './deliver.ts';
import { checkHealth } from './health-checks.ts';
import { Permits } from './permits.ts';
import { readOnce } from './read-once.ts';
import { type Received, ReceivedMessages } from './received.ts';
import { replay } from './replay.ts';
import { Resends } from './resends.ts';
import { workWhileWaiting } from './slow-receivers.ts';
import { sweep } from './sweep.ts';

const log = createLogger('deliver-webhook');
const table = openTable(environment('TABLE_NAME'));
const queueUrls: Record<Lane, string> = {
  main: environment('DELIVERY_QUEUE_URL'),
  slow: environment('SLOW_DELIVERY_QUEUE_URL'),
};
const lanes = webhookLanes(queueUrls);
const received = new ReceivedMessages(queueUrls);
const resends = new Resends(lanes);
const { now } = table;
const timeoutMs = Number(environment('WEBHOOK_TIMEOUT_MS'));
const deps: DeliverDeps = {
  table,
  webhooks: webhookRepository(table),
  deliveries: deliveryRepository(table),
  health: healthStore(table),
  queue: lanes.main,
  permits: new Permits(table, { now, requestMs: timeoutMs + LEASE_MARGIN_MS, maxWaitMs: 4_000 }),
  secrets: secretBox(new MasterSecret(parameterReader(environment('MASTER_SECRET_PARAMETER')))),
  guard: guardFromEnvironment(),
  now,
  random: Math.random,
  onLongRequest: () => undefined,
  timeoutMs,
  backoffSeconds: environment('WEBHOOK_BACKOFF_SECONDS').split(',').map(Number),
};

/** After this many failed receives the queue does not deliver a message again (`MAX_RECEIVES` of the queue). */
const MAX_RECEIVES = 5;

/**
 * Handles messages of the delivery queue. The sweep schedule also calls it, to resume deliveries whose message was
 * lost.
 */
export async function handler(event: SQSEvent | ScheduledEvent | { sweep: true }): Promise<SQSBatchResponse> {
  if (!('Records' in event)) {
    await sweep(deps, (failure) => log.error('the sweep failed to process an item', { ...failure }));
    return { batchItemFailures: [] };
  }
  const messages = event.Records.map((record) => received.ofRecord(record));
  const longRequest = Promise.withResolvers<void>();
  const batch = handleAll(messages, longRequest.resolve);
  // Messages of the slow lane mostly wait for the receivers that already occupy its senders, so taking more of them
  // gains nothing.
  if (messages.some(({ lane }) => lane === 'main')) {
    await workWhileWaiting({ batch, longRequest: longRequest.promise }, { take: receiveMore, work: handleReceived });
  }
  const failed = await batch;
  await deps.permits.settled();
  return { batchItemFailures: failed.map(({ id }) => ({ itemIdentifier: id })) };
}

/** Returns the messages that must be received again. Calls `onLongRequest` when a receiver is slow to reply. */
async function handleAll(messages: readonly Received[], longRequest = deps.onLongRequest): Promise<Received[]> {
  const batch = { ...deps, longRequest, webhooks: readOnce(deps.webhooks) };
  const areDone = await Promise.all(messages.map((message) => handle(batch, message)));
  return messages.filter((_, index) => !areDone[index]);
}

async function receiveMore(waitSeconds: number): Promise<Received[] | undefined> {
  try {
    return await received.receive('main', waitSeconds);
  } catch (error) {
    log.warn('failed to receive further messages', { error: error as Error });
    return undefined;
  }
}

async function handleReceived(messages: readonly Received[]): Promise<void> {
  const failed = await handleAll(messages);
  await received.delete(messages.filter((message) => !failed.includes(message))).catch((error: unknown) => {
    log.warn('failed to delete handled messages', { error: error as Error });
  });
}

/** Returns whether the message is done and can be deleted. */
async function handle(batch: DeliverDeps, taken: Received): Promise<boolean> {
  const { id: messageId, receives, lane, body } = taken;
  try {
    const message = JSON.parse(body) as DeliveryMessage;
    const followUp = await work(batch, message, lane);
    // Each message produces at most one follow-up, so duplicates do not multiply.
    if (followUp && followUp.afterSeconds <= MAX_DELAY_SECONDS) {
      const waits = followUp.waits === undefined ? {} : { waits: followUp.waits };
      const next = message.kind === 'deliver' ? { ...withoutWaits(message), ...waits } : message;
      await resends.send(followUp.lane, { message: next, delaySeconds: Math.ceil(followUp.afterSeconds) });
    }
    return true;
  } catch (error) {
    log.error('failed to attempt a delivery', { error: error as Error, messageId, receives });
    if (receives >= MAX_RECEIVES && !isServiceError(error)) await giveUp(body, error as Error);
    else await received.receiveAgainAfter(taken, Math.min(2 ** receives, 20)).catch(() => undefined);
    return false;
  }
}

/** The message without its count of waits, which starts again after an attempt. */
function withoutWaits({ kind, workspaceId, webhookId, deliveryId }: Extract<DeliveryMessage, { kind: 'deliver' }>) {
  return { kind, workspaceId, webhookId, deliveryId };
}

async function work(batch: DeliverDeps, message: DeliveryMessage, lane: Lane): Promise<FollowUp> {
  switch (message.kind) {
    case 'deliver':
      return deliver(batch, { ...message, lane });
    case 'check':
      await checkHealth(deps, message);
      return null;
    case 'replay':
      await replay(deps, message);
      return null;
  }
}

/** Errors of AWS services pass. Any other error would come back with every receive of the message. */
function isServiceError(error: unknown): boolean {
  return (error as { $metadata?: unknown }).$metadata !== undefined;
}

/**
 * Fails a delivery whose processing fails on every receive; the sweep would otherwise resume it for ever. The message
 * goes to the dead-letter queue.
 */
async function giveUp(body: string, error: Error): Promise<void> {
  try {
    const message = JSON.parse(body) as DeliveryMessage;
    const delivery = message.kind === 'deliver' ? await deps.deliveries.get(message) : undefined;
    if (!delivery || !isOpen(delivery)) return;
    await fail(deps, delivery, 'ATTEMPTS_EXHAUSTED', `the delivery cannot be prepared: ${error.name}`);
  } catch (cause) {
    log.error('failed to give up a message that cannot be handled', { error: cause as Error });
  }
}
