import { launchSteps } from '../../../../shared/domains/pipelines/runs/index.ts';
import type { StepJob } from '../../../../shared/domains/pipelines/store/index.ts';
import type { Worker } from './attempt.ts';
import { execute } from './execute.ts';

/**
 * Runs a step, and later steps of the chain that also need a container, because starting one takes a minute. The answer
 * is not returned: after the container has ended, a function reads the state of its step from the table (`recover.ts`).
 * A retry of a later step gets an execution of its own.
 */
export async function workInContainer(worker: Worker, job: StepJob, execution: string): Promise<void> {
  const answer = await execute(worker, job, execution, () => true);
  if (answer.kind === 'again' && answer.index !== job.index) {
    await launchSteps(worker.context, job, [answer.index], `after-${worker.context.now().getTime()}`);
  }
}
