import type { ComputeSize, StepCompute, StepJob } from '../../../../shared/domains/pipelines/index.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import type { Answer } from './answer.ts';
import { type Hold, hold } from './athena/hold.ts';
import { beginQuery, finishQuery } from './athena/on-athena.ts';
import { execute } from './execute.ts';
import { type Crash, recover } from './recover.ts';
import { openWorker, within } from './worker.ts';

/** A later step of the chain would have too little of the function's time left. */
const MAX_CHAIN_MS = 30_000;

const log = createLogger('run-step');
const worker = openWorker({ engine: 'function', size: environment('COMPUTE_SIZE') as ComputeSize }, (error) =>
  log.error('an attempt failed unexpectedly', { error }),
);

export type StepEvent =
  /** `engines`: those that the definition of the execution knows besides functions. */
  | { op: 'execute'; job: StepJob; execution: string; engines: readonly string[]; taskToken?: string }
  /** An attempt on Athena. */
  | { op: 'begin-query'; job: StepJob; execution: string }
  | { op: 'hold-query'; job: StepJob; execution: string; attempt: number }
  | { op: 'finish-query'; job: StepJob; execution: string; attempt: number }
  /** The worker on `compute` has crashed or, without an error in `crash`, ended. */
  | { op: 'recover'; job: StepJob; execution: string; compute: StepCompute; crash: Crash };

/** Driven by the step machine (`step-machine.ts`). */
export async function handler(event: StepEvent): Promise<Answer | Hold> {
  const { job, execution } = event;
  log.appendKeys({ workspaceId: job.workspaceId, runId: job.runId, index: job.index });
  if (event.op === 'recover') {
    if (event.crash.Error) log.warn('a worker crashed', { compute: event.compute, crash: event.crash });
    return recover(worker, job, execution, event);
  }
  if (event.op === 'begin-query') return beginQuery(worker, job, execution);
  if (event.op === 'hold-query') return hold(worker, event);
  if (event.op === 'finish-query') return finishQuery(worker, job, execution, event.attempt);
  const startedAt = performance.now();
  worker.engines?.prepare();
  const mayContinue = () => performance.now() - startedAt < MAX_CHAIN_MS;
  const answer = await execute(within(worker, event.engines), job, execution, mayContinue);
  // An execution of an older definition reads the answer instead.
  if (event.taskToken)
    await worker.context.launcher.endStep(event.taskToken, answer.kind === 'done' ? undefined : answer);
  return answer;
}
