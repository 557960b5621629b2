import {
  type Dag,
  failAttempt,
  type Loss,
  launchSteps,
  leaveSlot,
  noteLostStart,
  planOf,
  type RunContext,
  readSteps,
  releaseAll,
  runRepository,
  type StepCompute,
  type StepError,
  type StepJob,
  type StoredStep,
  standsInLine,
  timeoutSecondsOf,
} from '../../../../shared/domains/pipelines/index.ts';
import { SERVICE_FAULTS } from '../run-lifecycle/run-machine.ts';
import { type Answer, againIn } from './answer.ts';
import type { Worker } from './attempt.ts';
import { noteFailure } from './note-failure.ts';
import { QUERY_STOPPED } from './query-states.ts';
import { tookTooLong } from './watch.ts';

/** Before the next try to start what could not be started, or a container, which is dear. */
const NEXT_START_SECONDS = 60;

/** What the service reports of a function or a container that died; nothing of a container that ended by itself. */
export interface Crash {
  Error?: string;
  Cause?: string;
}

/**
 * Clears up after an invocation that died: the attempt it held counts as failed, what it had finished is told to those
 * who wait for it, and the machine learns what to go on with.
 */
export async function recover(
  worker: Worker,
  job: StepJob,
  execution: string,
  { compute, crash }: { compute: StepCompute; crash: Crash },
): Promise<Answer> {
  const answer = await clearUp(worker, job, execution, crash, compute);
  await leaveSlot(worker.context, job, execution);
  return answer;
}

/** What `recover` does while the execution keeps its slot. */
export async function clearUp(
  worker: Worker,
  job: StepJob,
  execution: string,
  crash: Crash,
  compute: StepCompute = worker.compute,
): Promise<Answer> {
  const { context } = worker;
  const run = await runRepository(context.table).get(job.workspaceId, job.runId);
  if (run?.status !== 'running' || run.attempt !== job.epoch) return { kind: 'done' };
  const dag = await context.dags.get(run.workspaceId, run.dagHash);
  const plan = await planOf(context, run);
  let answer: Answer = { kind: 'done' };

  const before = await readSteps(context.table, run.workspaceId, run.id);
  const held = before.filter(({ status, holder }) => status === 'running' && holder === execution);
  for (const step of held) {
    const error = step.crashReport ?? errorOf(crash, secondsOverrun(context, dag, step));
    await noteFailure(worker, step, error);
    const after = await failAttempt(context, { run, dag, step, error, billed: error.code !== 'WORKER_LOST' });
    if (after.kind === 'retry') {
      answer = { kind: 'again', index: step.index, waitSeconds: Math.max(1, Math.ceil(after.delayMs / 1000)) };
    }
  }
  const entry = before[job.index];
  if (answer.kind === 'done' && (entry?.status === 'ready' || entry?.status === 'waiting')) {
    const restMs = entry.status === 'waiting' ? Date.parse(entry.nextRetryAt!) - context.now().getTime() : 0;
    if (held.length > 0 || restMs > 0) answer = againIn(job.index, restMs);
    // What came after its slot had lapsed has ended in order: whoever serves the line starts the step anew.
    else if (crash.Error !== undefined || !(await standsInLine(context, job))) {
      const loss = lossOf(crash, compute);
      const isDear = crash.Error !== undefined && (compute.engine === 'container' || loss.kind === 'not_started');
      const waitSeconds = (ended: number) => (isDear ? NEXT_START_SECONDS : 2 ** Math.max(0, ended - 1));
      const after = await noteLostStart(context, { run, dag, step: entry, holder: execution, loss, waitSeconds });
      if (after.kind === 'again') answer = againIn(job.index, after.waitSeconds * 1000);
      if (after.kind === 'retry') answer = againIn(job.index, after.delayMs);
    }
  }
  const steps = await readSteps(context.table, run.workspaceId, run.id);
  await releaseAll(context, run, plan, job, steps);
  // A step may have been made ready by the dead worker without having been started; a second start is absorbed.
  const ready = steps.filter(({ status, kind, index }) => status === 'ready' && kind === 'step' && index !== job.index);
  await launchSteps(
    context,
    job,
    ready.map(({ index }) => index),
  );
  return answer;
}

/** How many seconds a step may take that has taken them all; the worker then ends itself when it cannot stop its work. */
function secondsOverrun({ now }: RunContext, dag: Dag, { stepId, startedAt }: StoredStep): number | undefined {
  const seconds = timeoutSecondsOf(dag.steps.find(({ id }) => id === stepId)!);
  return now().getTime() - Date.parse(startedAt!) >= seconds * 1000 ? seconds : undefined;
}

function errorOf(crash: Crash, secondsTaken?: number): StepError {
  if (crash.Error === QUERY_STOPPED) return { code: 'CANCELLED', message: 'The run was cancelled.' };
  const query = failedQuery(crash) ?? refusedQuery(crash);
  if (query) return query;
  const name = crash.Error ?? '';
  const cause = name === 'States.TaskFailed' ? endOfTask(crash.Cause) : (crash.Cause ?? '');
  if (/timed? ?out/i.test(`${name} ${cause}`))
    return { code: 'TIMEOUT', message: 'The step took longer than a step may.' };
  if (/memory/i.test(`${name} ${cause}`))
    return { code: 'OUT_OF_MEMORY', message: 'The step needs more memory than it may use.' };
  if (secondsTaken !== undefined) return tookTooLong(secondsTaken).toJSON();
  return { code: 'WORKER_LOST', message: 'The worker died in the middle of the step.' };
}

/** What Athena says of a query that failed; undefined when it was something else. */
function failedQuery({ Error: name, Cause: cause = '{}' }: Crash): StepError | undefined {
  if (name !== 'States.TaskFailed') return undefined;
  const { QueryExecution: query } = described<{
    QueryExecution?: { Status: { StateChangeReason?: string; AthenaError?: { ErrorCategory?: number } } };
  }>(cause);
  // A long statement, which stands before the reason, leaves no place for it.
  if (!query && !cause.startsWith('{"QueryExecution"')) return undefined;
  const { StateChangeReason: reason = 'The query failed.', AthenaError: { ErrorCategory: category } = {} } =
    query?.Status ?? {};
  if (LACKS_PERMISSION.test(reason)) return NOT_PERMITTED;
  // An issue of the service may pass; one of the statement or of the rows does not.
  return { code: category === 1 ? 'CONNECTION_FAILED' : 'SQL_ERROR', message: `Athena: ${reason}` };
}

/** What Athena says of a statement that it does not take at all: for the operator, who finds it in the log. */
function refusedQuery({ Error: name = '', Cause: cause = '' }: Crash): StepError | undefined {
  if (name === 'States.Permissions' || (name.startsWith('Athena.') && LACKS_PERMISSION.test(`${name} ${cause}`))) {
    return NOT_PERMITTED;
  }
  if (!name.startsWith('Athena.')) return undefined;
  if (name === 'Athena.TooManyRequestsException') {
    return { code: 'RATE_LIMITED', message: 'Athena is asked for more than it takes at once.' };
  }
  return { code: 'CONNECTION_FAILED', message: `Athena does not take the query (${name.slice('Athena.'.length)}).` };
}

/** Sentences of AWS about it name roles and accounts, which are nobody's business. */
const LACKS_PERMISSION = /AccessDenied|not authorized|insufficient permissions|PERMISSION_DENIED/i;
const NOT_PERMITTED: StepError = {
  code: 'PERMISSION_DENIED',
  message: 'Athena: the deployment lacks a permission for the query.',
};

/** Why nobody has begun with a step: what was to be started was not, or it ended before. */
function lossOf(crash: Crash, compute: StepCompute): Loss {
  const { Error: name = '', Cause: cause } = crash;
  const { StopCode: stopCode } = described<{ StopCode?: string }>(cause ?? '');
  if (name.startsWith('ECS.') || SERVICE_FAULTS.includes(name) || stopCode === 'TaskFailedToStart') {
    return { kind: 'not_started', size: compute.engine === 'function' ? compute.size : compute.engine };
  }
  const error = errorOf(crash);
  if (error.code !== 'WORKER_LOST') return { kind: 'ended', error };
  return {
    kind: 'ended',
    error: { code: 'WORKER_LOST', message: 'Whoever was to work on the step died, time and again.' },
  };
}

/** Why a container ended, out of all that the service describes it by. */
function endOfTask(cause = '{}'): string {
  const { StoppedReason, Containers = [] } = described<{
    StoppedReason?: string;
    Containers?: { Reason?: string }[];
  }>(cause);
  return [StoppedReason, ...Containers.map(({ Reason }) => Reason)].join(' ');
}

/** What a service describes as JSON; nothing where that was cut off, as a cause of more than 32,768 characters is. */
function described<T extends object>(cause: string): Partial<T> {
  try {
    return JSON.parse(cause) as T;
  } catch {
    return {};
  }
}
