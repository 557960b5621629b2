import type { SQSEvent } from 'aws-lambda';
import { environment } from '../../../shared/http/open-group.ts';
import { type JobMessage, jobQueue } from '../../../shared/jobs/queue.ts';
import { jobRepository } from '../../../shared/jobs/repository.ts';
import { createLogger } from '../../../shared/observability/logger.ts';
import { openTable } from '../../../shared/storage/table.ts';
import { jobKinds } from './kinds.ts';
import { startDueJob } from './start-due-job.ts';
import { type JobWorker, workOnJob } from './work-on-job.ts';

const log = createLogger('run-job');
const table = openTable(environment('TABLE_NAME'));

const worker: JobWorker = {
  jobs: jobRepository(table),
  queue: jobQueue(environment('JOB_QUEUE_URL')),
  now: () => new Date(),
  kinds: jobKinds(table),
  report: (error, { id, kind, attempt }) => log.error('a job failed unexpectedly', { error, jobId: id, kind, attempt }),
  exit: () => process.kill(process.pid, 'SIGKILL'),
};

/**
 * Driven by the job queue, a message at a time. When the process dies at work, the message stays hidden for long, but the
 * job's lease ends soon and the minute tick sends another.
 */
export async function handler(event: SQSEvent): Promise<void> {
  for (const record of event.Records) {
    const message = JSON.parse(record.body) as JobMessage;
    log.appendKeys({ workspaceId: message.workspaceId });
    if (message.op === 'work') await workOnJob(worker, message.workspaceId, message.jobId);
    else await startDueJob(worker, message, (outcome) => log.info('a schedule is due', { ...message, outcome }));
  }
}
