import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { failedConditions, toRecord } from '../../../platform/storage/collection.ts';
import type { TransactItem } from '../../../platform/storage/table.ts';
import { transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import type { Dag } from '../definition/dag.ts';
import { sharingAppends } from '../definition/extract-loads.ts';
import type { Node, Plan } from '../definition/plan.ts';
import { retryOf } from '../definition/retry.ts';
import type { RunJob } from '../store/launcher.ts';
import { isOver, type StoredRun, type StoredStep } from '../store/records.ts';
import { eventItem } from '../store/run-events.ts';
import { queuedKey, runKey, stepKey } from '../store/run-keys.ts';
import { nextCheckOf, planOf, type RunContext, readSteps } from '../store/run-store.ts';
import { runCountItems } from '../store/usage.ts';
import { endRun } from './end-run.ts';
import { launchSteps } from './step-queue.ts';

/** A transaction holds 100 items; the last one also starts the run. */
const STEPS_PER_WRITE = 90;

/**
 * Brings an admitted run from queued to running: writes what it consists of and starts the steps that wait for nothing.
 * `taskToken` is kept to wake the machine at the end. Done twice, it changes nothing; a run that is over wakes its machine.
 */
export async function startRun(context: RunContext, job: RunJob, taskToken: string): Promise<void> {
  const run = await keepToken(context, job, taskToken);
  if (!run || isOver(run.status)) {
    await context.launcher.wakeRun(taskToken);
    return;
  }
  if (run.status === 'queued' && run.cancelRequestedAt) {
    await endRun(context, job, { status: 'cancelled' });
    return;
  }
  const plan = await planOf(context, run);
  const dag = await context.dags.get(run.workspaceId, run.dagHash);
  const before = run.attempt === 1 ? [] : await readSteps(context.table, run.workspaceId, run.id);
  const steps = initialSteps(run, dag, plan, before, context.now());
  if (run.status === 'queued' && !(await write(context, job, run, steps))) return;
  if (steps[plan.end]!.pending === undefined) {
    await endRun(context, job, { status: 'succeeded' });
    return;
  }
  const ready = steps.filter((step) => step.status === 'ready' && step.kind === 'step');
  await launchSteps(
    context,
    job,
    ready.map(({ index }) => index),
  );
}

/** Also takes the number of the event that tells of the start; a second starter leaves it unused. */
async function keepToken(context: RunContext, job: RunJob, taskToken: string): Promise<StoredRun | undefined> {
  const key = runKey(job.workspaceId, job.runId);
  try {
    const reply = await context.table.db.send(
      new UpdateCommand({
        ...updateOf(
          context.table,
          key,
          { set: { taskToken }, add: { seq: 1 } },
          { equals: { attempt: job.epoch }, oneOf: { status: ['queued', 'running'] } },
        ),
        ReturnValues: 'ALL_NEW',
      }),
    );
    return toRecord<StoredRun>(reply.Attributes!);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/** The nodes of a run as an attempt of it begins. What an earlier attempt has achieved stays. */
export function initialSteps(
  run: StoredRun,
  dag: Dag,
  plan: Plan,
  before: readonly StoredStep[],
  now: Date,
): StoredStep[] {
  const definitions = new Map(dag.steps.map((step) => [step.id, step]));
  const earlier = new Map(before.map((step) => [step.index, step]));
  const sharing = sharingAppends(dag);
  const kept = (index: number) => {
    const step = earlier.get(index);
    return plan.nodes[index]!.kind !== 'end' && staysOnRetry(step) ? step : undefined;
  };
  return plan.nodes.map((node) => {
    const stays = kept(node.index);
    if (stays) return stays;
    const pending = node.initial.pending.filter((index) => !kept(index));
    const last = earlier.get(node.index);
    const step = node.kind === 'step' ? definitions.get(node.stepId) : undefined;
    return {
      ...freshStep(run, node),
      type: step?.type ?? null,
      ...(step && sharing.has(step.id) ? { deliveryGuarantee: 'at_least_once' as const } : {}),
      status: node.initial.status === 'skipped' ? 'skipped' : pending.length === 0 ? 'ready' : 'pending',
      ...(pending.length > 0 ? { pending: new Set(pending) } : {}),
      ...(node.after.some((index) => kept(index)?.status === 'succeeded') ? { sawSuccess: true } : {}),
      ...(node.initial.status === 'skipped' ? { finishedAt: now.toISOString() } : { readyAt: now.toISOString() }),
      attempt: last?.attempt ?? 0,
      attemptsBefore: last?.attempt ?? 0,
      executionSeconds: last?.executionSeconds ?? 0,
      maxAttempts: step ? retryOf(step).maxAttempts : 1,
    };
  });
}

/** Whether a step is not done again when its run is retried. */
export const staysOnRetry = (step: StoredStep | undefined): boolean =>
  step?.status === 'succeeded' || (step?.status === 'skipped' && step.skipReason !== 'upstream_failed');

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
 * The steps of this attempt replace those of earlier ones and no others, so that a second starter cannot undo what the
 * first one's workers have done. The last transaction turns the run to running; answers whether it was this one.
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
  return writeOnce(context, [
    {
      Update: updateOf(
        context.table,
        runKey(job.workspaceId, job.runId),
        {
          set: {
            status: 'running',
            startedAt: run.startedAt ?? startedAt,
            updatedAt: startedAt,
            ...nextCheckOf(run.id, startedAt),
          },
        },
        { equals: { status: 'queued', attempt: job.epoch }, absent: ['cancelRequestedAt'] },
      ),
    },
    ...last,
    { Delete: { TableName: context.table.name, Key: queuedKey(run) } },
    eventItem(
      context.table,
      job,
      run.seq,
      { type: 'run.status', data: { runId: run.id, status: 'running', attempt: job.epoch, at: startedAt } },
      at,
    ),
    ...(job.epoch === 1 ? runCountItems(context.table, run, at) : []),
  ]);
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

/** False for a transaction that another starter of the same attempt has made, or that a cancel forbids. */
async function writeOnce(context: RunContext, items: TransactItem[]): Promise<boolean> {
  try {
    await transact(context.table, items);
    return true;
  } catch (cause) {
    if (failedConditions(cause).size === 0) throw cause;
    return false;
  }
}
