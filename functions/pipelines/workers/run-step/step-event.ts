import type { StepCompute } from '../../../../shared/domains/pipelines/definition/index.ts';
import type { StepJob } from '../../../../shared/domains/pipelines/store/index.ts';
import type { Answer } from './answer.ts';
import { type Hold, hold } from './athena/hold.ts';
import { beginQuery, finishQuery } from './athena/on-athena.ts';
import type { Worker } from './attempt.ts';
import { execute } from './execute.ts';
import { type Crash, recover } from './recover.ts';
import { within } from './worker.ts';

/** What the step machine asks of a function (`step-machine.ts`). */
export type StepEvent =
  /** `engines`: those that the definition of the execution knows besides functions. */
  | { op: 'execute'; job: StepJob; execution: string; engines: readonly string[]; taskToken?: string }
  /** An attempt on Athena. */
  | { op: 'begin-query'; job: StepJob; execution: string }
  | { op: 'hold-query'; job: StepJob; execution: string; attempt: number }
  | { op: 'finish-query'; job: StepJob; execution: string; attempt: number }
  /** The worker on `compute` has crashed or, without an error in `crash`, ended. */
  | { op: 'recover'; job: StepJob; execution: string; compute: StepCompute; crash: Crash };

/** `mayContinue`: whether the function has time for another step of a chain. */
export async function answerEvent(
  worker: Worker,
  event: StepEvent,
  mayContinue: () => boolean,
): Promise<Answer | Hold> {
  const { job, execution } = event;
  switch (event.op) {
    case 'execute': {
      const answer = await execute(within(worker, event.engines), job, execution, mayContinue);
      // An execution of an older definition has no token and reads the answer itself.
      if (event.taskToken) await worker.endStep(event.taskToken, answer);
      return answer;
    }
    case 'begin-query':
      return beginQuery(worker, job, execution);
    case 'hold-query':
      return hold(worker, event);
    case 'finish-query':
      return finishQuery(worker, job, execution, event.attempt);
    case 'recover':
      return recover(worker, job, execution, event);
  }
}
