import { ASSERTION_FAILED } from '../../../../shared/data/recipe/row-ops.ts';
import { type Dag, type StepCompute, timeoutSecondsOf } from '../../../../shared/domains/pipelines/definition/index.ts';
import {
  failAttempt,
  isQueued,
  type Loss,
  launchSteps,
  leaveSlot,
  MAX_LOST_STARTS,
  recordLostStart,
  releaseAll,
} from '../../../../shared/domains/pipelines/runs/index.ts';
import {
  planOf,
  type RunContext,
  readSteps,
  runRepository,
  type StepError,
  type StepJob,
  type StoredRun,
  type StoredStep,
} from '../../../../shared/domains/pipelines/store/index.ts';
import { SERVICE_ERRORS } from '../run-lifecycle/run-machine.ts';
import { type Answer, againIn, DONE } from './answer.ts';
import type { Worker } from './attempt.ts';
import { logFailure } from './log-failure.ts';
import { QUERY_STOPPED } from './query-states.ts';
import { timedOut } from './watch.ts';

/** The delay before another start of a container, which is expensive, or after a start that the service rejected. */
const NEXT_START_SECONDS = 60;

/** What the service reports about a crashed function or container; empty for a container that ended by itself. */
export interface Crash {
  Error?: string;
  Cause?: string;
}

/**
 * Recovers from a crashed invocation: fails the attempt that it held, releases the steps that wait for its finished
 * ones, and returns how the machine continues.
 */
export async function recover(
  worker: Worker,
  job: StepJob,
  execution: string,
  { compute, crash }: { compute: StepCompute; crash: Crash },
): Promise<Answer> {
  const answer = await recoverSteps(worker, job, execution, crash, compute);
  await leaveSlot(worker.context, job, execution);
  return answer;
}

/** Recovers without releasing the slot of the execution. */
export async function recoverSteps(
  worker: Worker,
  job: StepJob,
  execution: string,
  crash: Crash,
  compute: StepCompute = worker.compute,
): Promise<Answer> {
  const { context } = worker;
  const run = await runRepository(context.table).get(job.workspaceId, job.runId);
  if (run?.status !== 'running' || run.attempt !== job.epoch) return DONE;
  const dag = await context.dags.get(run.workspaceId, run.dagHash);
  const lost: LostInvocation = { worker, run, dag, job, execution, crash, compute };

  const before = await readSteps(context.table, run.workspaceId, run.id);
  const held = before.filter(({ status, holder }) => status === 'running' && holder === execution);
  let answer = await failAttempts(lost, held);
  if (answer.kind === 'done') answer = await restart(lost, before[job.index], held.length > 0);
  await releaseFinished(lost);
  return answer;
}

interface LostInvocation {
  worker: Worker;
  run: StoredRun;
  dag: Dag;
  job: StepJob;
  execution: string;
  crash: Crash;
  compute: StepCompute;
}

/** Fails the attempts that the invocation held; returns the next attempt if there is one. */
async function failAttempts({ worker, run, dag, crash }: LostInvocation, held: readonly StoredStep[]): Promise<Answer> {
  const { context } = worker;
  let answer = DONE;
  for (const step of held) {
    const error = step.crashReport ?? errorOf(crash, secondsOverrun(context, dag, step));
    await logFailure(worker, step, error);
    const after = await failAttempt(context, { run, dag, step, error, billed: error.code !== 'WORKER_LOST' });
    if (after.kind === 'retry') {
      answer = { kind: 'again', index: step.index, waitSeconds: Math.max(1, Math.ceil(after.delayMs / 1000)) };
    }
  }
  return answer;
}

/** Starts the step of the job again if its attempt has not begun. */
async function restart(lost: LostInvocation, step: StoredStep | undefined, hadAttempts: boolean): Promise<Answer> {
  if (step?.status !== 'ready' && step?.status !== 'waiting') return DONE;
  const { worker, run, dag, job, execution, crash, compute } = lost;
  const { context } = worker;
  const restMs = step.status === 'waiting' ? Date.parse(step.nextRetryAt!) - context.now().getTime() : 0;
  if (hadAttempts || restMs > 0) return againIn(job.index, restMs);
  // An invocation without a slot has ended normally and queued its step; the step queue starts it again.
  if (crash.Error === undefined && (await isQueued(context, job))) return DONE;
  const loss = lossOf(crash, compute);
  const isExpensive = crash.Error !== undefined && (compute.engine === 'container' || loss.kind === 'not_started');
  const waitSeconds = (ended: number) => (isExpensive ? NEXT_START_SECONDS : 2 ** Math.max(0, ended - 1));
  const after = await recordLostStart(context, { run, dag, step, holder: execution, loss, waitSeconds });
  if (after.kind === 'again') return againIn(job.index, after.waitSeconds * 1000);
  return after.kind === 'retry' ? againIn(job.index, after.delayMs) : DONE;
}

async function releaseFinished({ worker: { context }, run, job }: LostInvocation): Promise<void> {
  const steps = await readSteps(context.table, run.workspaceId, run.id);
  await releaseAll(context, run, await planOf(context, run), job, steps);
  // The crashed worker may have made a step ready without starting it; a second start has no effect.
  const ready = steps.filter(({ status, kind, index }) => status === 'ready' && kind === 'step' && index !== job.index);
  await launchSteps(
    context,
    job,
    ready.map(({ index }) => index),
  );
}

/** The timeout of a step that has exceeded it: a worker that cannot stop its work kills itself then. */
function secondsOverrun({ now }: RunContext, dag: Dag, { stepId, startedAt }: StoredStep): number | undefined {
  const seconds = timeoutSecondsOf(dag.steps.find(({ id }) => id === stepId)!);
  return now().getTime() - Date.parse(startedAt!) >= seconds * 1000 ? seconds : undefined;
}

function errorOf(crash: Crash, secondsTaken?: number): StepError {
  if (crash.Error === QUERY_STOPPED) return { code: 'CANCELLED', message: 'The run was cancelled.' };
  const query = failedQuery(crash) ?? rejectedQuery(crash);
  if (query) return query;
  const name = crash.Error ?? '';
  const cause = name === 'States.TaskFailed' ? endOfTask(crash.Cause) : (crash.Cause ?? '');
  if (/timed? ?out/i.test(`${name} ${cause}`))
    return { code: 'TIMEOUT', message: 'The step exceeded the time limit of its worker.' };
  if (/memory/i.test(`${name} ${cause}`)) return { code: 'OUT_OF_MEMORY', message: 'The step ran out of memory.' };
  if (secondsTaken !== undefined) return timedOut(secondsTaken).toJSON();
  return { code: 'WORKER_LOST', message: 'The worker crashed during the step.' };
}

/** The error of a failed Athena query; undefined for other crashes. */
function failedQuery({ Error: name, Cause: cause = '{}' }: Crash): StepError | undefined {
  if (name !== 'States.TaskFailed') return undefined;
  const { QueryExecution: query } = described<{
    QueryExecution?: { Status: { StateChangeReason?: string; AthenaError?: { ErrorCategory?: number } } };
  }>(cause);
  // A long statement precedes the reason, so the reason may be cut off.
  if (!query && !cause.startsWith('{"QueryExecution"')) return undefined;
  const { StateChangeReason: reason = 'The query failed.', AthenaError: { ErrorCategory: category } = {} } =
    query?.Status ?? {};
  if (LACKS_PERMISSION.test(reason)) return NOT_PERMITTED;
  if (reason.includes(ASSERTION_FAILED)) return { code: 'GATE_FAILED', message: `Athena: ${reason}` };
  // An error of the service may pass; an error of the statement or of the rows does not.
  return { code: category === 1 ? 'CONNECTION_FAILED' : 'SQL_ERROR', message: `Athena: ${reason}` };
}

/** The error of a query that Athena rejected; the operator finds the details in the log. */
function rejectedQuery({ Error: name = '', Cause: cause = '' }: Crash): StepError | undefined {
  if (name === 'States.Permissions' || (name.startsWith('Athena.') && LACKS_PERMISSION.test(`${name} ${cause}`))) {
    return NOT_PERMITTED;
  }
  if (!name.startsWith('Athena.')) return undefined;
  if (name === 'Athena.TooManyRequestsException') {
    return { code: 'RATE_LIMITED', message: 'Athena rejected the query because too many queries are running.' };
  }
  return { code: 'CONNECTION_FAILED', message: `Athena rejected the query (${name.slice('Athena.'.length)}).` };
}

/** The messages of AWS name roles and accounts, which are not shown to users. */
const LACKS_PERMISSION = /AccessDenied|not authorized|insufficient permissions|PERMISSION_DENIED/i;
const NOT_PERMITTED: StepError = {
  code: 'PERMISSION_DENIED',
  message: 'Athena: the deployment lacks a permission for the query.',
};

/** Why a step has not begun: its worker never started, or ended before the step. */
function lossOf(crash: Crash, compute: StepCompute): Loss {
  const { Error: name = '', Cause: cause } = crash;
  const { StopCode: stopCode } = described<{ StopCode?: string }>(cause ?? '');
  if (name.startsWith('ECS.') || SERVICE_ERRORS.includes(name) || stopCode === 'TaskFailedToStart') {
    return { kind: 'not_started', size: compute.engine === 'function' ? compute.size : compute.engine };
  }
  const error = errorOf(crash);
  if (error.code !== 'WORKER_LOST') return { kind: 'ended', error };
  const message = `The worker crashed ${MAX_LOST_STARTS} times before the step started.`;
  return { kind: 'ended', error: { code: 'WORKER_LOST', message } };
}

/** The reasons why a container ended, from the task description of the service. */
function endOfTask(cause = '{}'): string {
  const { StoppedReason, Containers = [] } = described<{
    StoppedReason?: string;
    Containers?: { Reason?: string }[];
  }>(cause);
  return [StoppedReason, ...Containers.map(({ Reason }) => Reason)].join(' ');
}

/** Parses a description; empty if it was cut off, as a cause of more than 32,768 characters is. */
function described<T extends object>(cause: string): Partial<T> {
  try {
    return JSON.parse(cause) as T;
  } catch {
    return {};
  }
}
