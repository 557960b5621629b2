import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { type NewJob, scheduledJobId, startJob } from '../../../../shared/platform/jobs/jobs.ts';
import type { JobMessage } from '../../../../shared/platform/jobs/queue.ts';
import type { JobWorker } from './work-on-job.ts';

export type DueMessage = Extract<JobMessage, { op: 'due' }>;

/** An instant waits this many times at most, for about two hours in all. */
export const MAX_WAITS = 12;
const waitSeconds = (waits: number) => Math.min(900, 60 * 2 ** waits);

/**
 * Starts the job of a due instant once, however often the message is delivered, unless the schedule has changed. While
 * another job of the subject is active, the instant waits or is skipped, as the kind of job wants it.
 */
export async function startDueJob(
  worker: JobWorker,
  message: DueMessage,
  report: (outcome: string) => void,
): Promise<void> {
  const { workspaceId, kind, subjectId, scheduledAt, waits = 0 } = message;
  const work = worker.kinds[kind];
  const input = await work.due?.({
    workspaceId,
    subjectId,
    scheduledAt: new Date(scheduledAt),
    hasWaited: waits > 0,
  });
  if (!input) return report('NOT_PLANNED');
  try {
    const trigger = { kind: 'schedule', scheduledAt, actor: null } as const;
    const id = scheduledJobId(kind, subjectId, scheduledAt);
    const job: NewJob = { id, workspaceId, kind, subjectId, trigger, input };
    const started = await startJob(worker, job, 'JOB_ACTIVE', work.beforehand?.(job));
    report(started.id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'JOB_ACTIVE') throw error;
    if (!work.dueWaits || waits >= MAX_WAITS) return report(error.code);
    await worker.queue.send([{ message: { ...message, waits: waits + 1 }, delaySeconds: waitSeconds(waits) }]);
    report('WAITS');
  }
}
