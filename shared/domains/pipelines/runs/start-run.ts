import type { TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import type { Dag, Node, Plan, Step } from '../definition/index.ts';
import { atLeastOnceLoads, retryOf } from '../definition/index.ts';
import type { RunJob, StoredRun } from '../store/index.ts';
import {
  eventItem,
  isOver,
  nextCheckOf,
  planOf,
  type RunContext,
  type RunEvent,
  readSteps,
  runKey,
  runRepository,
  type StoredStep,
  stepKey,
} from '../store/index.ts';
import { endRun } from './end-run.ts';
import { leaveQueueItems, queuedEvent } from './queue-entry.ts';
import { isKeptOnRetry, nodesFrom } from './retried-inputs.ts';
import { launchSteps } from './step-queue.ts';

/** A transaction holds 100 items; the last transaction also starts the run. */
const STEPS_PER_WRITE = 90;

/**
 * A start fails if another writer takes an event number of the run first. After these tries, the minute tick starts the
 * run.
 */
const MAX_TRIES = 5;

/** A run that starts this soon keeps the check that was set at its creation. */
const SAME_CHECK_MS = 10_000;

/**
 * Moves an admitted run from queued to running: stores its nodes and starts the steps without dependencies. Repeating
 * it changes nothing.
 */
export async function startRun(context: RunContext, job: RunJob): Promise<void> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const run = await runRepository(context.table).get(job.workspaceId, job.runId);
    if (run?.attempt !== job.epoch || isOver(run.status)) return;
    // Another invocation has started the run and launches its steps.
    if (tries > 1 && run.status !== 'queued') return;
    if (await tryStart(context, job, run)) return;
  }
}

/** Returns false if the run has changed since it was read. */
async function tryStart(context: RunContext, job: RunJob, run: StoredRun): Promise<boolean> {
  if (run.status === 'queued' && run.cancelRequestedAt) {
    await endRun(context, job, { status: 'cancelled' });
    return true;
  }
  const plan = await planOf(context, run);
  const dag = await context.dags.get(run.workspaceId, run.dagHash);
  const before = run.attempt === 1 ? [] : await readSteps(context.table, run.workspaceId, run.id);
  const steps = initialSteps(run, dag, plan, before, context.now());
  if (run.status === 'queued' && !(await write(context, job, run, steps))) return false;
  if (steps[plan.end]!.pending === undefined) {
    await endRun(context, job, { status: 'succeeded' });
    return true;
  }
  const ready = steps.filter((step) => step.status === 'ready' && step.kind === 'step');
  await launchSteps(
    context,
    job,
    ready.map(({ index }) => index),
  );
  return true;
}

/** The nodes of a run at the start of an attempt. Successes of earlier attempts stay. */
export function initialSteps(
  run: StoredRun,
  dag: Dag,
  plan: Plan,
  before: readonly StoredStep[],
  now: Date,
): StoredStep[] {
  const definitions = new Map(dag.steps.map((step) => [step.id, step]));
  const earlier = new Map(before.map((step) => [step.index, step]));
  const sharing = atLeastOnceLoads(dag);
  const repeated = nodesFrom(plan, run.fromStep);
  const kept = (index: number) => {
    const step = earlier.get(index);
    return plan.nodes[index]!.kind !== 'end' && isKeptOnRetry(step, repeated) ? step : undefined;
  };
  return plan.nodes.map((node) => {
    const stays = kept(node.index);
    if (stays) return stays;
    const step = node.kind === 'step' ? definitions.get(node.stepId) : undefined;
    return {
      ...freshStep(run, node),
      ...initialState(node, kept, now.toISOString()),
      ...attemptsOf(earlier.get(node.index)),
      ...redoOf(run, step, earlier.get(node.index), repeated.has(node.index)),
      type: step?.type ?? null,
      maxAttempts: step ? retryOf(step).maxAttempts : 1,
      ...(step && sharing.has(step.id) ? { deliveryGuarantee: 'at_least_once' as const } : {}),
    };
  });
}

function initialState(
  { initial, after }: Node,
  kept: (index: number) => StoredStep | undefined,
  at: string,
): Pick<StoredStep, 'status' | 'pending' | 'sawSuccess' | 'finishedAt' | 'readyAt'> {
  const pending = initial.pending.filter((index) => !kept(index));
  const isSkipped = initial.status === 'skipped';
  return {
    status: isSkipped ? 'skipped' : pending.length === 0 ? 'ready' : 'pending',
    ...(pending.length > 0 ? { pending: new Set(pending) } : {}),
    ...(initial.sawSuccess || after.some((index) => kept(index)?.status === 'succeeded') ? { sawSuccess: true } : {}),
    ...(isSkipped ? { finishedAt: at } : { readyAt: at }),
  };
}

function attemptsOf(last: StoredStep | undefined) {
  const { attempt = 0, executionSeconds = 0 } = last ?? {};
  return { attempt, attemptsBefore: attempt, executionSeconds };
}

/**
 * A repeated load is a new one, also if it failed: an attempt may have committed before. Only rows that it may have
 * appended are not loaded again.
 */
function redoOf(run: StoredRun, step: Step | undefined, last: StoredStep | undefined, isRepeated: boolean) {
  const isNew = isRepeated && last !== undefined && step?.type === 'load' && step.config.mode !== 'append';
  const redo = isNew ? run.attempt : last?.redo;
  return redo === undefined ? {} : { redo };
}

function freshStep(run: StoredRun, node: Node) {
  const { index, kind, stepId, item, itemIndex } = node;
  return {
    workspaceId: run.workspaceId,
    runId: run.id,
    index,
    kind,
    stepId,
    item,
    itemIndex,
    epoch: run.attempt,
    skipReason: node.initial.skipReason,
  };
}

/**
 * The steps of this attempt replace only those of earlier ones, so a second starter cannot undo the work of the first
 * one's workers. The last transaction sets the run to running; returns whether this call did.
 */
async function write(context: RunContext, job: RunJob, run: StoredRun, steps: readonly StoredStep[]): Promise<boolean> {
  const changed = steps.filter((step) => step.epoch === job.epoch);
  const items = changed.map((step) => stepItem(context, step));
  const last = items.splice(Math.max(0, items.length - STEPS_PER_WRITE));
  for (let start = 0; start < items.length; start += 100) {
    await writeOnce(context, items.slice(start, start + 100));
  }
  const at = context.now();
  const startedAt = at.toISOString();
  const events: RunEvent[] = [
    ...(run.startsAtOnce ? [queuedEvent(run)] : []),
    { type: 'run.status', data: { runId: run.id, status: 'running', attempt: job.epoch, at: startedAt } },
  ];
  return writeOnce(context, [
    {
      Update: updateOf(
        context.table,
        runKey(job.workspaceId, job.runId),
        {
          set: {
            status: 'running',
            startedAt: run.startedAt ?? startedAt,
            attemptStartedAt: startedAt,
            updatedAt: startedAt,
            seq: run.seq + events.length,
            ...(keepsCheck(run, at) ? {} : nextCheckOf(run.id, startedAt)),
          },
          remove: ['startsAtOnce', 'taskToken'],
        },
        { equals: { status: 'queued', attempt: job.epoch, seq: run.seq }, absent: ['cancelRequestedAt'] },
      ),
    },
    ...last,
    ...leaveQueueItems(context.table, run),
    eventItem(context.table, job, run.seq + 1, events, at),
  ]);
}

/**
 * Whether the first check of the run stays where it was when the run was created: moving it by seconds would cost two
 * writes of the index. The days of a backfill have none before their start.
 */
function keepsCheck({ attempt, backfillId, createdAt }: StoredRun, at: Date): boolean {
  return attempt === 1 && backfillId === null && at.getTime() - Date.parse(createdAt) < SAME_CHECK_MS;
}

function stepItem(context: RunContext, step: StoredStep): TransactItem {
  return {
    Put: {
      TableName: context.table.name,
      Item: { ...stepKey(step.workspaceId, step.runId, step.index), entity: 'step', ...step },
      ConditionExpression: 'attribute_not_exists(pk) OR #epoch < :epoch',
      ExpressionAttributeNames: { '#epoch': 'epoch' },
      ExpressionAttributeValues: { ':epoch': step.epoch },
    },
  };
}

/**
 * Returns false if another writer was first: a starter of the same attempt, a cancel, an end, or one that took an event
 * number.
 */
async function writeOnce(context: RunContext, items: TransactItem[]): Promise<boolean> {
  try {
    await transact(context.table, items);
    return true;
  } catch (cause) {
    if (failedConditions(cause).size === 0) throw cause;
    return false;
  }
}
