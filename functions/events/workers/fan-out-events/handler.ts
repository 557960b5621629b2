import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { OutboxRecord } from '../../../../shared/domains/events/events/index.ts';
import {
  deliveryRepository,
  webhookLanes,
  webhookRepository,
} from '../../../../shared/domains/events/webhooks/index.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { toRecord } from '../../../../shared/platform/storage/stored-record.ts';
import { fromAttributes, openTable } from '../../../../shared/platform/storage/table.ts';
import { fanOut } from './fan-out.ts';
import { RecentWebhooks } from './recent.ts';

const log = createLogger('fan-out-events');
const table = openTable(environment('TABLE_NAME'));
const deps = {
  table,
  webhooks: webhookRepository(table),
  deliveries: deliveryRepository(table),
  lanes: webhookLanes({
    main: environment('DELIVERY_QUEUE_URL'),
    slow: environment('SLOW_DELIVERY_QUEUE_URL'),
  }),
  recent: new RecentWebhooks(),
  now: table.now,
};

/**
 * Reads outbox items from the table's stream. A batch is handled as a whole, since most batches succeed and share reads
 * and messages. If a batch fails, its events are handled one by one, and the stream resumes at the first that fails.
 */
export async function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const records = event.Records.filter((record) => record.dynamodb?.NewImage);
  try {
    await fanOut(deps, records.map(outboxRecord));
    return { batchItemFailures: [] };
  } catch (error) {
    log.warn('failed to fan out a batch of events; continuing one by one', {
      error: error as Error,
      events: records.length,
    });
  }
  for (const record of records) {
    try {
      await fanOut(deps, [outboxRecord(record)]);
    } catch (error) {
      log.error('failed to fan out an event', { error: error as Error, eventId: record.eventID });
      return { batchItemFailures: [{ itemIdentifier: record.dynamodb!.SequenceNumber! }] };
    }
  }
  return { batchItemFailures: [] };
}

function outboxRecord(record: DynamoDBRecord): OutboxRecord {
  return toRecord<OutboxRecord>(fromAttributes(record.dynamodb!.NewImage as Record<string, AttributeValue>));
}
