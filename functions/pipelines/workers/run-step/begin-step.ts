import { isSameCompute, type StepCompute } from '../../../../shared/domains/pipelines/definition/index.ts';
import {
  awaitContainer,
  beginAttempt,
  failAttempt,
  keepSlot,
} from '../../../../shared/domains/pipelines/runs/index.ts';
import {
  isOver,
  type RunContext,
  readNodes,
  type StepJob,
  type StoredStep,
} from '../../../../shared/domains/pipelines/store/index.ts';
import { type Answer, againIn, DONE } from './answer.ts';
import type { Worker } from './attempt.ts';
import { logFailure } from './log-failure.ts';
import { recoverSteps } from './recover.ts';
import { stepErrorOf } from './run-attempt.ts';
import { computeOf, type StepContext } from './step-context.ts';

/** The state machine waits for longer delays: an idle function costs more than three transitions. */
export const MAX_SLEEP_MS = 5_000;

/** A step that became ready within this time still holds the slot that it was given then. */
const SLOT_CERTAIN_MS = 30_000;

/** Begins the first attempt of this invocation, unless there is nothing to begin. */
export async function enter(
  worker: Worker,
  stepContext: StepContext,
  job: StepJob,
  execution: string,
  stored: StoredStep | undefined,
): Promise<Answer | { stored: StoredStep }> {
  const { context } = worker;
  if (stored?.epoch !== job.epoch) return DONE;
  if (isOver(stored.status) || (stored.status === 'running' && stored.holder === execution)) {
    // The service repeated an invocation whose result it lost. That invocation held an attempt of this step or of a
    // later one, which is lost now. The machine may use either result, so this invocation continues by itself.
    const answer = await recoverSteps(worker, job, execution, { Error: 'Lambda.Unknown' });
    if (answer.kind !== 'again') return answer;
    const next = { ...job, index: answer.index };
    return enter(worker, stepContext, next, execution, await readNode(context, next));
  }
  const isFresh = stored.status === 'ready' && context.now().getTime() - Date.parse(stored.readyAt!) < SLOT_CERTAIN_MS;
  if (!isFresh && !(await keepSlot(context, job, execution))) return DONE;
  const earlyMs = stored.status === 'waiting' ? Date.parse(stored.nextRetryAt!) - context.now().getTime() : 0;
  if (earlyMs > MAX_SLEEP_MS) return againIn(job.index, earlyMs);
  if (earlyMs > 0) await sleep(earlyMs);
  return beginHere(worker, stepContext, job, execution, stored);
}

export async function readNode(context: RunContext, job: StepJob): Promise<StoredStep | undefined> {
  return (await readNodes(context.table, job, [job.index])).get(job.index);
}

/** Begins an attempt on this worker, or moves the step to another one. An error while choosing fails the attempt. */
export async function beginHere(
  worker: Worker,
  stepContext: StepContext,
  job: StepJob,
  execution: string,
  stored: StoredStep,
): Promise<Answer | { stored: StoredStep }> {
  const { context } = worker;
  // A step on Athena was checked when it moved there; moving it back could repeat without end.
  let compute: StepCompute = worker.compute;
  try {
    if (compute.engine !== 'athena') compute = await computeOf(worker, stepContext, job);
  } catch (thrown) {
    const begun = await beginAttempt(context, job, stored, execution);
    return begun ? failAtOnce(worker, stepContext, begun, thrown) : DONE;
  }
  if (!isSameCompute(compute, worker.compute)) return moveTo(compute, context, job, execution);
  const begun = await beginAttempt(context, job, stored, execution);
  return begun ? { stored: begun } : DONE;
}

/** Fails an attempt because of an error before its work began. */
export async function failAtOnce(
  worker: Worker,
  { run, dag }: StepContext,
  begun: StoredStep,
  thrown: unknown,
): Promise<Answer> {
  const error = stepErrorOf(thrown);
  if (error.code === 'INTERNAL') worker.report(thrown as Error);
  await logFailure(worker, begun, error);
  const after = await failAttempt(worker.context, { run, dag, step: begun, error, billed: true });
  return after.kind === 'retry' ? againIn(begun.index, after.delayMs) : DONE;
}

/** Moves the step to another engine or size. */
async function moveTo(compute: StepCompute, context: RunContext, job: StepJob, execution: string): Promise<Answer> {
  if (compute.engine === 'container') await awaitContainer(context, job, execution);
  return { kind: 'elsewhere', index: job.index, compute };
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
