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
} from '../../../../shared/domains/webhooks/index.ts';
import { MasterSecret, parameterReader } from '../../../../shared/platform/crypto/master-secret.ts';
import { secretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { guardFromEnvironment } from '../../../../shared/platform/net/guard-from-environment.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import { type DeliverDeps, deliver, fail, LEASE_MARGIN_MS, type LookAgain } from './deliver.ts';
import { care } from './health-checks.ts';
import { workMeanwhile } from './meanwhile.ts';
import { Permits } from './permits.ts';
import { readOnce } from './read-once.ts';
import { type Received, ReceivedMessages } from './received.ts';
import { replay } from './replay.ts';
import { Resends } from './resends.ts';
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
  permits: new Permits(table, { now, requestMs: timeoutMs + LEASE_MARGIN_MS, patienceMs: 4_000 }),
  secrets: secretBox(new MasterSecret(parameterReader(environment('MASTER_SECRET_PARAMETER')))),
  guard: guardFromEnvironment(),
  now,
  random: Math.random,
  held: () => undefined,
  timeoutMs,
  backoffSeconds: environment('WEBHOOK_BACKOFF_SECONDS').split(',').map(Number),
};

/** A message that is received this often without success is not received again (`MAX_RECEIVES` of the queue). */
const MAX_RECEIVES = 5;

/** Called by the delivery queue with messages, and by the sweep schedule to wake what the queue forgot. */
export async function handler(event: SQSEvent | ScheduledEvent | { sweep: true }): Promise<SQSBatchResponse> {
  if (!('Records' in event)) {
    await sweep(deps, (failure) => log.error('the sweep could not look after an item', { ...failure }));
    return { batchItemFailures: [] };
  }
  const messages = event.Records.map((record) => received.ofRecord(record));
  const held = Promise.withResolvers<void>();
  const batch = handleAll(messages, held.resolve);
  // What waits in the slow lane mostly waits for the very receivers that hold its senders.
  if (messages.some(({ lane }) => lane === 'main')) {
    await workMeanwhile({ batch, held: held.promise }, { take: takeMore, work: handleTaken });
  }
  const again = await batch;
  await deps.permits.settled();
  return { batchItemFailures: again.map(({ id }) => ({ itemIdentifier: id })) };
}

/** Answers the messages that must come again. `held` is told when a receiver lets one wait. */
async function handleAll(messages: readonly Received[], held = deps.held): Promise<Received[]> {
  const batch = { ...deps, held, webhooks: readOnce(deps.webhooks) };
  const areDone = await Promise.all(messages.map((message) => handle(batch, message)));
  return messages.filter((_, index) => !areDone[index]);
}

async function takeMore(waitSeconds: number): Promise<Received[] | undefined> {
  try {
    return await received.take('main', waitSeconds);
  } catch (error) {
    log.warn('no further messages could be taken', { error: error as Error });
    return undefined;
  }
}

async function handleTaken(messages: readonly Received[]): Promise<void> {
  const again = await handleAll(messages);
  await received.delete(messages.filter((message) => !again.includes(message))).catch((error: unknown) => {
    log.warn('messages that were handled could not be deleted', { error: error as Error });
  });
}

/** Answers whether the message is done with, and need not come again. */
async function handle(batch: DeliverDeps, taken: Received): Promise<boolean> {
  const { id: messageId, receives, lane, body } = taken;
  try {
    const message = JSON.parse(body) as DeliveryMessage;
    const again = await work(batch, message, lane);
    // One message in, one message out: whatever comes twice does not become more.
    if (again && again.afterSeconds <= MAX_DELAY_SECONDS) {
      const waits = again.waits === undefined ? {} : { waits: again.waits };
      const next = message.kind === 'deliver' ? { ...named(message), ...waits } : message;
      await resends.send(again.lane, { message: next, delaySeconds: Math.ceil(again.afterSeconds) });
    }
    return true;
  } catch (error) {
    log.error('a delivery could not be attempted', { error: error as Error, messageId, receives });
    if (receives >= MAX_RECEIVES && !isFaultOfService(error)) await giveUp(body, error as Error);
    else await received.comeBack(taken, Math.min(2 ** receives, 20)).catch(() => undefined);
    return false;
  }
}

/** A message without the count of its waits: they are over when an attempt was made. */
function named({ kind, workspaceId, webhookId, deliveryId }: Extract<DeliveryMessage, { kind: 'deliver' }>) {
  return { kind, workspaceId, webhookId, deliveryId };
}

async function work(batch: DeliverDeps, message: DeliveryMessage, lane: Lane): Promise<LookAgain> {
  switch (message.kind) {
    case 'deliver':
      return deliver(batch, { ...message, lane });
    case 'care':
      await care(deps, message);
      return null;
    case 'replay':
      await replay(deps, message);
      return null;
  }
}

/** An issue of the services we stand on passes; any other comes back with every receive of the message. */
function isFaultOfService(error: unknown): boolean {
  return (error as { $metadata?: unknown }).$metadata !== undefined;
}

/** What makes the sender itself fail each time would be swept up for ever. Its message goes to the dead letters. */
async function giveUp(body: string, error: Error): Promise<void> {
  try {
    const message = JSON.parse(body) as DeliveryMessage;
    const delivery = message.kind === 'deliver' ? await deps.deliveries.get(message) : undefined;
    if (!delivery || !isOpen(delivery)) return;
    await fail(deps, delivery, 'ATTEMPTS_EXHAUSTED', `the delivery cannot be prepared: ${error.name}`);
  } catch (cause) {
    log.error('a message that cannot be handled could not be given up', { error: cause as Error });
  }
}
