import { AppError } from '../../../platform/errors/app-error.ts';
import type { TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { didYouMean } from '../../../platform/text/nearest.ts';
import type { StoredRun } from '../store/index.ts';
import {
  countStart,
  endEvents,
  eventItem,
  isOver,
  nextCheckOf,
  pipelineRepository,
  planOf,
  queuedKey,
  type RunContext,
  rateLimited,
  readSteps,
  reserveEvents,
  runEntryItems,
  runKey,
  runRepository,
  startLimitsOf,
} from '../store/index.ts';
import { type Admission, admit, changeAdmission, type Decision, releaseSlot } from './admission.ts';
import { checkStart } from './allowance.ts';
import { cancelReplaced } from './cancel-run.ts';
import { announceNoWorker } from './compute-events.ts';
import { haveInputsExpired, nodesFrom } from './retried-inputs.ts';

/**
 * Queues a failed run again with the definition that it was created with; succeeded steps are not repeated. With
 * `fromStep`, a run with any end is queued again and that step and all after it are repeated, with the stored rows of
 * the steps before. Throws `RUN_NOT_FOUND`, `RUN_NOT_FAILED`, `RUN_NOT_ENDED`, `RUN_STEP_UNKNOWN`,
 * `LOAD_NOT_REPEATABLE`, `RUN_EXPIRED`, `PIPELINE_NOT_FOUND`, the errors of a start, and `WORKER_UNAVAILABLE`, after
 * which the run is as before.
 */
export async function retryRun(
  context: RunContext,
  { fromStep: requested, ...place }: { workspaceId: string; runId: string; fromStep?: string },
): Promise<StoredRun> {
  const runs = runRepository(context.table);
  const failed = await runs.get(place.workspaceId, place.runId);
  if (!failed) throw new AppError('RUN_NOT_FOUND');
  if (requested === undefined && failed.status !== 'failed') throw new AppError('RUN_NOT_FAILED');
  const fromStep = requested ?? (await unstartedFromStep(context, failed));
  if (fromStep !== undefined) await checkFromStep(context, failed, fromStep);
  const now = context.now();
  if (await haveInputsExpired(context, failed, fromStep)) throw new AppError('RUN_EXPIRED');
  const pipeline = await pipelineRepository(context.table).get(place.workspaceId, failed.pipelineId);
  if (!pipeline) throw new AppError('PIPELINE_NOT_FOUND');

  await checkStart(context.table, place.workspaceId, now);

  const epoch = failed.attempt + 1;
  const queuedAt = now.toISOString();
  const { perPipeline: startsPerMinute } = startLimitsOf(context);
  let isCounted = false;
  const requeued = { ...failed, queuedAt, ...(fromStep === undefined ? {} : { fromStep }) };
  const { kind, replaces } = await requeue(context, requeued, { epoch, fromStep }, async (state) => {
    const decision = admit(state, failed.id, pipeline.concurrency, now, { startsPerMinute });
    if (decision.kind === 'rejected') {
      throw decision.code === 'RATE_LIMITED'
        ? rateLimited('pipeline', startsPerMinute, now)
        : new AppError(decision.code);
    }
    if (!isCounted) await countStart(context, place.workspaceId);
    isCounted = true;
    return decision;
  });
  if (kind === 'waiting') await cancelReplaced(context, { ...failed, replaces });
  else {
    try {
      await context.launcher.startRun({ ...place, epoch });
    } catch (cause) {
      if (await undoRequeue(context, { ...failed, queuedAt }, epoch)) {
        await announceNoWorker(context, failed);
        throw new AppError('WORKER_UNAVAILABLE', { cause });
      }
    }
  }
  return (await runs.get(place.workspaceId, place.runId)) ?? failed;
}

interface Requeued {
  kind: 'admitted' | 'waiting';
  replaces: string[];
}

async function requeue(
  context: RunContext,
  failed: StoredRun,
  { epoch, fromStep }: { epoch: number; fromStep: string | undefined },
  decide: (state: Admission) => Promise<Exclude<Decision, { kind: 'rejected' }>>,
): Promise<Requeued> {
  const { table } = context;
  const at = context.now();
  const seq = failed.seq + 1;
  const itemsOf = (replaces: string[]): TransactItem[] => [
    {
      Update: updateOf(
        table,
        runKey(failed.workspaceId, failed.id),
        {
          set: {
            status: 'queued',
            attempt: epoch,
            seq,
            error: null,
            finishedAt: null,
            updatedAt: at.toISOString(),
            queuedAt: failed.queuedAt,
            replaces,
            cancelReason: null,
            ...(fromStep === undefined ? {} : { fromStep }),
            ...nextCheckOf(failed.id, at.toISOString()),
          },
          remove: ['startsAtOnce', ...(fromStep === undefined ? ['fromStep'] : [])],
        },
        { equals: { status: failed.status, attempt: failed.attempt, seq: failed.seq } },
      ),
    },
    { Put: { TableName: table.name, Item: { ...queuedKey(failed), entity: 'queued-run', runId: failed.id } } },
    ...runEntryItems(table, failed, 'queued'),
    eventItem(
      table,
      { workspaceId: failed.workspaceId, runId: failed.id },
      seq,
      [{ type: 'run.status', data: { runId: failed.id, status: 'queued', attempt: epoch, at: at.toISOString() } }],
      at,
    ),
  ];
  try {
    return await changeAdmission(table, failed, async (state) => {
      const decision = await decide(state);
      const replaces = decision.kind === 'waiting' ? decision.replaces : [];
      return {
        next: decision.next,
        position: 0,
        write: (admission) => transact(table, [admission, ...itemsOf(replaces)]),
        result: { kind: decision.kind, replaces },
      };
    });
  } catch (cause) {
    // Another request retried it first.
    if (failedConditions(cause).has(1)) {
      throw new AppError(fromStep === undefined ? 'RUN_NOT_FAILED' : 'RUN_NOT_ENDED', { cause });
    }
    throw cause;
  }
}

/**
 * Rejects a step that the run does not have, and one before a load that has begun to append: its rows would be there
 * twice, or, if its end is unknown, new ones would be taken for those.
 */
async function checkFromStep(context: RunContext, run: StoredRun, fromStep: string): Promise<void> {
  if (!isOver(run.status)) throw new AppError('RUN_NOT_ENDED');
  const dag = await context.dags.get(run.workspaceId, run.dagHash);
  const ids = dag.steps.map(({ id }) => id);
  if (!ids.includes(fromStep)) {
    const message = `Unknown step "${fromStep}"${didYouMean(fromStep, ids)}`;
    throw new AppError('RUN_STEP_UNKNOWN', { errors: [{ pointer: '/fromStep', code: 'STEP_UNKNOWN', message }] });
  }
  const repeated = nodesFrom(await planOf(context, run), fromStep);
  const appending = new Set(
    dag.steps.filter(({ type, config }) => type === 'load' && config.mode === 'append').map(({ id }) => id),
  );
  const steps = await readSteps(context.table, run.workspaceId, run.id);
  const begun = steps.find(({ index, stepId, attempt }) => repeated.has(index) && attempt > 0 && appending.has(stepId));
  if (begun) throw new AppError('LOAD_NOT_REPEATABLE', { members: { stepId: begun.stepId } });
}

/**
 * The step from which the last attempt was to repeat the run, if that attempt never started: it is still to be
 * repeated.
 */
async function unstartedFromStep(context: RunContext, run: StoredRun): Promise<string | undefined> {
  if (run.fromStep === undefined) return undefined;
  const steps = await readSteps(context.table, run.workspaceId, run.id);
  return steps.some(({ epoch }) => epoch === run.attempt) ? undefined : run.fromStep;
}

/** Sets the run back to its earlier end; returns false if it has started. */
async function undoRequeue(context: RunContext, failed: StoredRun, epoch: number): Promise<boolean> {
  const { table } = context;
  const { status, error, finishedAt, cancelReason } = failed;
  const place = { workspaceId: failed.workspaceId, runId: failed.id };
  const at = context.now();
  const reserved = await reserveEvents(table, { ...place, epoch }, 2);
  if (!reserved) return false;
  const items: TransactItem[] = [
    {
      Update: updateOf(
        table,
        runKey(failed.workspaceId, failed.id),
        { set: { status, error, finishedAt, cancelReason }, remove: ['due', 'dueAt', 'admittedAt'] },
        { equals: { status: 'queued', attempt: epoch } },
      ),
    },
    { Delete: { TableName: table.name, Key: queuedKey(failed) } },
    ...runEntryItems(table, failed),
    eventItem(table, place, reserved.first, endEvents(place, { status, attempt: epoch, at }), at),
  ];
  try {
    await changeAdmission(table, failed, async (state) => ({
      next: releaseSlot(state, failed.id).next,
      position: 0,
      write: (admission) => transact(table, [admission, ...items]),
      result: undefined,
    }));
    return true;
  } catch (cause) {
    if (failedConditions(cause).has(1)) return false;
    throw cause;
  }
}
