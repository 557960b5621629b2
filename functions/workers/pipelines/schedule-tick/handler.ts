import { captureQueue } from '../../../../shared/domains/cdc/index.ts';
import { openRunContext } from '../../../../shared/domains/pipelines/index.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { jobQueue } from '../../../../shared/platform/jobs/queue.ts';
import { jobRepository } from '../../../../shared/platform/jobs/repository.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import type { Failure } from '../../../../shared/platform/storage/due-items.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import { announceDue } from './announce-due.ts';
import { cleanUpDatasets } from './clean-up-datasets.ts';
import { advanceBackfills, recoverJobs, repairRuns, resendUpstreamEnds, startFileBatches } from './overdue-work.ts';
import { scheduledCaptures } from './scheduled-captures.ts';
import { scheduledJobs } from './scheduled-jobs.ts';
import { scheduledMaintenance } from './scheduled-maintenance.ts';
import { scheduledPipelines } from './scheduled-pipelines.ts';

const log = createLogger('schedule-tick');
const table = openTable(environment('TABLE_NAME'));
const objects = objectStore(environment('DATA_BUCKET'));
const context = openRunContext(table, objects);
const pipelines = scheduledPipelines(table, context.queue);
const queue = jobQueue(environment('JOB_QUEUE_URL'));
const jobs = scheduledJobs(table, queue);
const captures = scheduledCaptures(table, captureQueue(environment('CAPTURE_QUEUE_URL')));
const tending = scheduledMaintenance(queue);
const jobContext = { jobs: jobRepository(table), queue, now: context.now };

/** Cleaning up can wait: what it has not done by then it leaves to the next minute. */
const CLEAN_UP_MS = 30_000;

/**
 * Once a minute: the schedules of the minute to come, the runs and jobs that nobody has moved for a while, then what
 * datasets need not keep.
 */
export async function handler(): Promise<void> {
  const unannounced = (failure: Failure) => log.error('a schedule could not be announced', { ...failure });
  const uncared = (failure: Failure) => log.error('could not be looked after', { ...failure });
  const cleanUpUntil = new Date(Date.now() + CLEAN_UP_MS);
  const failures = [
    ...(await announceDue(context, pipelines, unannounced)),
    ...(await announceDue(context, jobs, unannounced)),
    ...(await announceDue(context, captures, unannounced)),
    ...(await announceDue(context, tending, unannounced)),
    ...(await repairRuns(context, uncared)),
    ...(await resendUpstreamEnds(context, uncared)),
    ...(await startFileBatches(context, uncared)),
    ...(await advanceBackfills(context, uncared)),
    ...(await recoverJobs(table, jobContext, uncared)),
    ...(await cleanUpDatasets({ table, objects, now: context.now }, cleanUpUntil, uncared)),
  ];
  if (failures.length > 0)
    throw new Error(`${failures.length} items of the tick failed; the next one comes back to them`);
}
