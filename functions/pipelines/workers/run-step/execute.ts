import { leaveSlot } from '../../../../shared/domains/pipelines/runs/index.ts';
import type { StepJob } from '../../../../shared/domains/pipelines/store/index.ts';
import { type Answer, DONE } from './answer.ts';
import type { Worker } from './attempt.ts';
import { enter } from './begin-step.ts';
import { Chain } from './chain.ts';
import { openStep } from './step-context.ts';

/**
 * Runs a step and then, while `mayContinue` allows, the step that becomes ready by it: a chain of short steps needs one
 * execution. The stored state is as if each step had its own, so any worker can continue a broken chain.
 */
export async function execute(
  worker: Worker,
  job: StepJob,
  execution: string,
  mayContinue: () => boolean,
): Promise<Answer> {
  const answer = await runChain(worker, job, execution, mayContinue);
  if (answer.kind !== 'elsewhere') await leaveSlot(worker.context, job, execution);
  return answer;
}

async function runChain(worker: Worker, job: StepJob, execution: string, mayContinue: () => boolean): Promise<Answer> {
  const opened = await openStep(worker, job);
  if (!opened) return DONE;
  const { stepContext, stored } = opened;
  const found = await enter(worker, stepContext, job, execution, stored);
  if (!('stored' in found)) return found;
  return new Chain(worker, stepContext, job, execution, mayContinue).follow(found.stored);
}
