import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { OutboxRecord } from '../../../shared/events/outbox.ts';
import { environment } from '../../../shared/http/open-group.ts';
import { createLogger } from '../../../shared/observability/logger.ts';
import { toRecord } from '../../../shared/storage/collection.ts';
import { openTable } from '../../../shared/storage/table.ts';
import { deliveryQueue } from '../../../shared/webhooks/queue.ts';
import { deliveryRepository, webhookRepository } from '../../../shared/webhooks/repository.ts';
import { fanOut } from './fan-out.ts';

const log = createLogger('fan-out-events');
const table = openTable(environment('TABLE_NAME'));
const deps = {
  webhooks: webhookRepository(table),
  deliveries: deliveryRepository(table),
  enqueue: deliveryQueue(new SQSClient({}), environment('DELIVERY_QUEUE_URL')),
  now: () => new Date(),
};

/** Reads outbox items from the table's stream, in order; the first one that fails is where the stream goes on. */
export async function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  for (const record of event.Records) {
    const image = record.dynamodb?.NewImage as Record<string, AttributeValue> | undefined;
    if (!image) continue;
    try {
      await fanOut(deps, toRecord<OutboxRecord>(unmarshall(image)));
    } catch (error) {
      log.error('an event could not be fanned out', { error: error as Error, eventId: record.eventID });
      return { batchItemFailures: [{ itemIdentifier: record.dynamodb!.SequenceNumber! }] };
    }
  }
  return { batchItemFailures: [] };
}
