import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { scheduledJobId, startJob } from '../../../../shared/platform/jobs/jobs.ts';
import type { JobMessage } from '../../../../shared/platform/jobs/queue.ts';
import type { JobWorker } from './work-on-job.ts';

export type DueMessage = Extract<JobMessage, { op: 'due' }>;

/** Starts the job of a due instant once, however often the message is delivered, unless the schedule has changed. */
export async function startDueJob(
  worker: JobWorker,
  message: DueMessage,
  report: (outcome: string) => void,
): Promise<void> {
  const { workspaceId, kind, subjectId, scheduledAt } = message;
  const input = await worker.kinds[kind].due?.(workspaceId, subjectId, new Date(scheduledAt));
  if (!input) return report('NOT_PLANNED');
  try {
    const job = await startJob(
      worker,
      {
        id: scheduledJobId(kind, subjectId, scheduledAt),
        workspaceId,
        kind,
        subjectId,
        trigger: { kind: 'schedule', scheduledAt, actor: null },
        input,
      },
      'JOB_ACTIVE',
    );
    report(job.id);
  } catch (error) {
    // The job of the previous instant is still active, so this instant is skipped.
    if (!(error instanceof AppError) || error.code !== 'JOB_ACTIVE') throw error;
    report(error.code);
  }
}
