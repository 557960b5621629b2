import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { forceCancel, openSlots, startRun } from '../../../../shared/domains/pipelines/runs/index.ts';
import { openRunContext, type RunJob, type WorkMessage } from '../../../../shared/domains/pipelines/store/index.ts';
import { dataSourceRepository } from '../../../../shared/domains/warehouse/sources/index.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import { closeRun } from './close-run.ts';
import { fireSchedule } from './fire-schedule.ts';
import { type ObjectCreated, recordArrival } from './record-arrival.ts';
import { removeOrphan } from './remove-orphan.ts';
import { startDownstream, startWaiting } from './start-waiting.ts';

const log = createLogger('run-lifecycle');
const table = openTable(environment('TABLE_NAME'));
const sources = dataSourceRepository(table);
const objects = objectStore(environment('DATA_BUCKET'));
const context = openRunContext(table, objects);

export type LifecycleEvent = { op: 'start' | 'close'; job: RunJob } | SQSEvent;

/**
 * Driven by the run machine (`run-machine.ts`) and by the work queue, whose failed messages are reported one by one.
 * The queue also carries the bucket's events of uploaded files.
 */
export async function handler(event: LifecycleEvent): Promise<SQSBatchResponse | Record<string, never>> {
  if ('Records' in event) return consume(event);
  if (event.op === 'start') await startRun(context, event.job);
  else await closeRun(context, event.job);
  return {};
}

async function consume(event: SQSEvent): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
  for (const record of event.Records) {
    try {
      await handle(JSON.parse(record.body) as WorkMessage | ObjectCreated);
    } catch (error) {
      log.error('a message failed', { messageId: record.messageId, error: error as Error });
      batchItemFailures.push({ itemIdentifier: record.messageId });
    }
  }
  return { batchItemFailures };
}

async function uploaded(event: ObjectCreated): Promise<void> {
  if (await removeOrphan({ sources, objects }, event)) return;
  await recordArrival(context, event);
}

async function handle(message: WorkMessage | ObjectCreated): Promise<void> {
  if ('detail-type' in message) return uploaded(message);
  switch (message.kind) {
    case 'fire-schedule':
      return fireSchedule(context, message, (outcome) => log.info('a schedule is due', { ...message, outcome }));
    case 'upstream-end':
      return startDownstream(context, message);
    case 'start-waiting':
      await openSlots(context, message);
      await startWaiting(context, message);
      return;
    case 'file-batch':
      await startWaiting(context, message);
      return;
    case 'cancel-deadline':
      return forceCancel(context, message);
  }
}
