import { endRun } from '../../../../shared/domains/pipelines/runs/index.ts';
import type { RunContext, RunJob } from '../../../../shared/domains/pipelines/store/index.ts';

/**
 * Called when the machine of a run gives up. A run that has not started fails; a started one continues without its
 * machine, and the minute tick starts its remaining steps.
 */
export function closeRun(context: RunContext, job: RunJob): Promise<void> {
  const error = { code: 'INTERNAL', message: 'The run could not be started.', stepId: null };
  return endRun(context, job, { status: 'failed', error });
}
