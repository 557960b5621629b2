import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import {
  executionOf,
  freeSlot,
  isOver,
  queueAttributeOf,
  type RunContext,
  type RunJob,
  readNodes,
  readSlots,
  runKey,
  STEP_LIMITS,
  type StepJob,
  type StepSlots,
  stepQueueKey,
  stepSlotsKey,
  takeSlot,
} from '../store/index.ts';

const AT_ONCE = 20;
/** Queue entries of a run that no longer exists expire after this time. */
const RETENTION_SECONDS = 2 * 24 * 60 * 60;

/** A step that may begin. */
interface Start {
  job: StepJob;
  /** Distinguishes the name of the execution from earlier ones of the step. */
  again?: string;
}

/**
 * Starts executions for ready steps. Steps without a free slot are queued and start when a slot is freed. Can be
 * repeated at any time, like every start.
 */
export async function launchSteps(
  context: RunContext,
  job: RunJob,
  indexes: readonly number[],
  again?: string,
): Promise<void> {
  const starts = indexes.map((index): Start => ({ job: { ...job, index }, ...(again ? { again } : {}) }));
  for (let place = 0; place < starts.length; place += AT_ONCE) {
    const group = starts.slice(place, place + AT_ONCE);
    const launched = await Promise.all(group.map((start) => launch(context, start)));
    if (launched.every(Boolean)) continue;
    const left = group.filter((_start, index) => !launched[index]);
    return enqueue(context, job, [...left, ...starts.slice(place + AT_ONCE)]);
  }
}

/** Takes the slot before the start, because an execution without one would occupy a function while it waits. */
async function launch(context: RunContext, { job, again }: Start): Promise<boolean> {
  const { workspaceId, runId } = job;
  const holder = { workspaceId, runId, execution: executionOf(job, again) };
  if (!(await takeSlot(context.table, holder, limitsOf(context), context.now()))) return false;
  try {
    await context.launcher.startStep(job, again);
  } catch (error) {
    await freeSlot(context.table, holder);
    throw error;
  }
  return true;
}

/** Extends the slot of a started execution; without a slot its step is queued. */
export async function keepSlot(context: RunContext, job: StepJob, execution: string): Promise<boolean> {
  const { workspaceId, runId } = job;
  const isKept = await takeSlot(context.table, { workspaceId, runId, execution }, limitsOf(context), context.now());
  if (!isKept) await enqueue(context, job, [{ job, again: `again-${context.now().getTime()}` }]);
  return isKept;
}

/** Frees the slot of an execution that has ended or waits, and starts queued steps. */
export async function leaveSlot(context: RunContext, job: StepJob, execution: string): Promise<void> {
  const { workspaceId, runId } = job;
  if (await freeSlot(context.table, { workspaceId, runId, execution })) await drainQueue(context, workspaceId);
}

async function enqueue(context: RunContext, job: RunJob, starts: readonly Start[]): Promise<void> {
  const { table } = context;
  const { workspaceId, runId } = job;
  const expiresAt = Math.floor(context.now().getTime() / 1000) + RETENTION_SECONDS;
  for (let place = 0; place < starts.length; place += AT_ONCE) {
    await Promise.all(
      starts.slice(place, place + AT_ONCE).map((start) => {
        const Item = {
          ...stepQueueKey(workspaceId, runId, start.job.index),
          entity: 'step-queue',
          ...start,
          expiresAt,
        };
        return table.db.send(new PutCommand({ TableName: table.name, Item }));
      }),
    );
  }
  await openQueue(context, job);
}

/** Marks the queue of a run as open and drains it, because a slot may have been freed just before the mark was set. */
export async function openQueue(context: RunContext, { workspaceId, runId }: Omit<RunJob, 'epoch'>): Promise<void> {
  await context.table.db.send(
    new UpdateCommand({
      TableName: context.table.name,
      Key: stepSlotsKey(workspaceId),
      UpdateExpression: 'ADD #line :one',
      ExpressionAttributeNames: { '#line': queueAttributeOf(runId) },
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );
  await drainQueue(context, workspaceId);
}

/** Starts queued steps while slots are free, first of the run with the fewest running steps. */
export async function drainQueue(context: RunContext, workspaceId: string): Promise<void> {
  for (;;) {
    const { slots } = await readSlots(context.table, workspaceId, context.now());
    const runId = nextRun(slots, limitsOf(context).perRun);
    if (runId === undefined || Object.keys(slots.held).length >= limitsOf(context).perWorkspace) return;
    const [first] = await readQueue(context, { workspaceId, runId }, 1);
    if (!first) await closeQueue(context, { workspaceId, runId }, slots.queues.get(runId)!);
    else if (!(await isOpen(context, first.job)) || (await launch(context, first))) await dequeue(context, first.job);
    else return;
  }
}

/**
 * A worker may have crashed between starting a queued step and removing its entry, so the step or its run may have
 * ended.
 */
async function isOpen({ table }: RunContext, job: StepJob): Promise<boolean> {
  const step = (await readNodes(table, job, [job.index])).get(job.index);
  return step?.epoch === job.epoch && !isOver(step.status);
}

function nextRun({ runs, queues }: StepSlots, perRun: number): string | undefined {
  const atWork = (runId: string) => runs.get(runId)?.size ?? 0;
  const [next] = [...queues.keys()].filter((runId) => atWork(runId) < perRun).sort((a, b) => atWork(a) - atWork(b));
  return next;
}

/** The queued steps of a run, in the order of its plan. */
export async function readQueue(
  { table }: RunContext,
  { workspaceId, runId }: { workspaceId: string; runId: string },
  limit?: number,
): Promise<Start[]> {
  const { pk } = runKey(workspaceId, runId);
  const items = itemsBelow(table, { pk, sk: 'LINE#' }, limit === undefined ? {} : { atMost: limit });
  return Array.fromAsync(items, (item) => {
    const { job, again } = toRecord<Start>(item);
    return { job, ...(again ? { again } : {}) };
  });
}

/** Whether the step is queued, and so starts when a slot is freed. */
export async function isQueued({ table }: RunContext, { workspaceId, runId, index }: StepJob): Promise<boolean> {
  const Key = stepQueueKey(workspaceId, runId, index);
  const { Item: item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return item !== undefined;
}

/** Removes the queued steps of a run that has ended. */
export async function clearQueue(context: RunContext, run: { workspaceId: string; runId: string }): Promise<void> {
  const queued = await readQueue(context, run);
  for (let place = 0; place < queued.length; place += AT_ONCE) {
    await Promise.all(queued.slice(place, place + AT_ONCE).map(({ job }) => dequeue(context, job)));
  }
}

async function dequeue({ table }: RunContext, { workspaceId, runId, index }: StepJob): Promise<void> {
  await table.db.send(new DeleteCommand({ TableName: table.name, Key: stepQueueKey(workspaceId, runId, index) }));
}

/** Marks the queue of a run as empty, unless steps were queued since it was read. */
async function closeQueue(
  { table }: RunContext,
  { workspaceId, runId }: { workspaceId: string; runId: string },
  seen: number,
): Promise<void> {
  const Key: Key = stepSlotsKey(workspaceId);
  try {
    await table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key,
        UpdateExpression: 'REMOVE #line',
        ConditionExpression: '#line = :seen',
        ExpressionAttributeNames: { '#line': queueAttributeOf(runId) },
        ExpressionAttributeValues: { ':seen': seen },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

const limitsOf = (context: RunContext) => context.stepLimits ?? STEP_LIMITS;
