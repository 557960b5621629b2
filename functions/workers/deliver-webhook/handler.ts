import { ChangeMessageVisibilityCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { ScheduledEvent, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { MasterSecret, parameterReader } from '../../../shared/crypto/master-secret.ts';
import { secretBox } from '../../../shared/crypto/secret-box.ts';
import { environment } from '../../../shared/http/open-group.ts';
import { guardFromEnvironment } from '../../../shared/net/guard-from-environment.ts';
import { createLogger } from '../../../shared/observability/logger.ts';
import { openTable } from '../../../shared/storage/table.ts';
import { type DeliveryMessage, deliveryQueue } from '../../../shared/webhooks/queue.ts';
import { deliveryRepository, webhookRepository } from '../../../shared/webhooks/repository.ts';
import { deliver } from './deliver.ts';

const log = createLogger('deliver-webhook');
const sqs = new SQSClient({});
const table = openTable(environment('TABLE_NAME'));
const queueUrl = environment('DELIVERY_QUEUE_URL');
const deps = {
  webhooks: webhookRepository(table),
  deliveries: deliveryRepository(table),
  secrets: secretBox(new MasterSecret(parameterReader(environment('MASTER_SECRET_PARAMETER')))),
  guard: guardFromEnvironment(),
  now: () => new Date(),
  random: Math.random,
  timeoutMs: Number(environment('WEBHOOK_TIMEOUT_MS')),
  backoffSeconds: environment('WEBHOOK_BACKOFF_SECONDS').split(',').map(Number),
};
const enqueue = deliveryQueue(sqs, queueUrl);

/** The queue keeps a message hidden for at most this long from when it was received. */
const LONGEST_VISIBILITY_SECONDS = 11 * 60 * 60;
const SWEPT_AT_ONCE = 500;
/** How soon a message comes back when the table or the queue failed us. */
const AFTER_FAULT_SECONDS = 5;

/** Called by the delivery queue with messages, and by the sweep schedule to wake what the queue forgot. */
export async function handler(event: SQSEvent | ScheduledEvent | { sweep: true }): Promise<SQSBatchResponse> {
  if (!('Records' in event)) {
    const forgotten = await deps.deliveries.forgotten(deps.now(), SWEPT_AT_ONCE);
    await Promise.all(forgotten.map(({ workspaceId, id }) => enqueue({ workspaceId, deliveryId: id })));
    return { batchItemFailures: [] };
  }
  const kept = await Promise.all(event.Records.map((record) => handle(record)));
  return { batchItemFailures: kept.flatMap((id) => (id === null ? [] : [{ itemIdentifier: id }])) };
}

/** Answers the message's id when it must come again. */
async function handle(record: SQSRecord): Promise<string | null> {
  try {
    const again = await deliver(deps, JSON.parse(record.body) as DeliveryMessage);
    if (again === null) return null;
    await comeBack(record, again.afterSeconds);
    return record.messageId;
  } catch (error) {
    log.error('a delivery could not be attempted', { error: error as Error, messageId: record.messageId });
    // Otherwise it would stay hidden for the queue's whole visibility, which is made for senders that die.
    await comeBack(record, AFTER_FAULT_SECONDS).catch(() => undefined);
    return record.messageId;
  }
}

/** One message serves all attempts: it is hidden until the next one is due. */
async function comeBack(record: SQSRecord, afterSeconds: number): Promise<void> {
  await sqs.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: queueUrl,
      ReceiptHandle: record.receiptHandle,
      VisibilityTimeout: Math.min(LONGEST_VISIBILITY_SECONDS, Math.max(0, Math.ceil(afterSeconds))),
    }),
  );
}
