import { endRun, type RunContext, type RunJob } from '../../../../shared/domains/pipelines/index.ts';

/**
 * Called when the machine of a run gives up. A run that has not started fails; one that has goes on without its machine: those of
 * its steps whose start was refused are started by the minute tick.
 */
export function closeRun(context: RunContext, job: RunJob): Promise<void> {
  const error = { code: 'INTERNAL', message: 'The run could not be started.', stepId: null };
  return endRun(context, job, { status: 'failed', error });
}
