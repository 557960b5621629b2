import { launchSteps, type StepJob } from '../../../../shared/domains/pipelines/index.ts';
import type { Worker } from './attempt.ts';
import { execute } from './execute.ts';

/**
 * Works on a step, and on those behind it that are for containers too: starting another one takes a minute. Nobody is told an
 * answer: when the container has ended, a function finds in the table what there is to do for the step that it was started for
 * (`recover.ts`). A retry of a step behind that one gets an execution of its own.
 */
export async function workInContainer(worker: Worker, job: StepJob, execution: string): Promise<void> {
  const answer = await execute(worker, job, execution, () => true);
  if (answer.kind === 'again' && answer.index !== job.index) {
    await launchSteps(worker.context, job, [answer.index], `after-${worker.context.now().getTime()}`);
  }
}
