import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { toRecord } from '../../../platform/storage/collection.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { executionOf, type RunJob, type StepJob } from '../store/launcher.ts';
import { isOver } from '../store/records.ts';
import { runKey, stepLineKey, stepSlotsKey } from '../store/run-keys.ts';
import { type RunContext, readNodes } from '../store/run-store.ts';
import { giveSlotBack, lineOf, readSlots, STEP_LIMITS, type StepSlots, takeSlot } from '../store/step-slots.ts';

const AT_ONCE = 20;
/** What a run that is gone has left in line. */
const KEPT_SECONDS = 2 * 24 * 60 * 60;

/** A step that may begin. */
interface Start {
  job: StepJob;
  /** Sets the name of the execution apart from earlier ones of the step. */
  again?: string;
}

/**
 * Starts executions for steps that may begin. Those for which there is no slot stand in line, and are started by whoever
 * gives one back. May be done again at any time, like every start.
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
    return standInLine(context, job, [...left, ...starts.slice(place + AT_ONCE)]);
  }
}

/** Takes the slot before the start: an execution without one would hold a function while it waits. */
async function launch(context: RunContext, { job, again }: Start): Promise<boolean> {
  const { workspaceId, runId } = job;
  const holder = { workspaceId, runId, execution: executionOf(job, again) };
  if (!(await takeSlot(context.table, holder, limitsOf(context), context.now()))) return false;
  try {
    await context.launcher.startStep(job, again);
  } catch (error) {
    await giveSlotBack(context.table, holder);
    throw error;
  }
  return true;
}

/** An execution that has begun holds its slot from here on; without one its step stands in line, to be started anew. */
export async function keepSlot(context: RunContext, job: StepJob, execution: string): Promise<boolean> {
  const { workspaceId, runId } = job;
  const isKept = await takeSlot(context.table, { workspaceId, runId, execution }, limitsOf(context), context.now());
  if (!isKept) await standInLine(context, job, [{ job, again: `again-${context.now().getTime()}` }]);
  return isKept;
}

/** An execution is over, or lets time pass: its slot goes to who stands in line. */
export async function leaveSlot(context: RunContext, job: StepJob, execution: string): Promise<void> {
  const { workspaceId, runId } = job;
  if (await giveSlotBack(context.table, { workspaceId, runId, execution })) await serveLine(context, workspaceId);
}

async function standInLine(context: RunContext, job: RunJob, starts: readonly Start[]): Promise<void> {
  const { table } = context;
  const { workspaceId, runId } = job;
  const expiresAt = Math.floor(context.now().getTime() / 1000) + KEPT_SECONDS;
  for (let place = 0; place < starts.length; place += AT_ONCE) {
    await Promise.all(
      starts.slice(place, place + AT_ONCE).map((start) => {
        const Item = { ...stepLineKey(workspaceId, runId, start.job.index), entity: 'step-line', ...start, expiresAt };
        return table.db.send(new PutCommand({ TableName: table.name, Item }));
      }),
    );
  }
  await openLine(context, job);
}

/** Tells of a run's line, and serves it: a slot that was given back a moment ago has seen nobody there. */
export async function openLine(context: RunContext, { workspaceId, runId }: Omit<RunJob, 'epoch'>): Promise<void> {
  await context.table.db.send(
    new UpdateCommand({
      TableName: context.table.name,
      Key: stepSlotsKey(workspaceId),
      UpdateExpression: 'ADD #line :one',
      ExpressionAttributeNames: { '#line': lineOf(runId) },
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );
  await serveLine(context, workspaceId);
}

/** Starts steps that stand in line while there are slots: of the run with the fewest at work first. */
export async function serveLine(context: RunContext, workspaceId: string): Promise<void> {
  for (;;) {
    const { slots } = await readSlots(context.table, workspaceId, context.now());
    const runId = nextRun(slots, limitsOf(context).perRun);
    if (runId === undefined || Object.keys(slots.held).length >= limitsOf(context).perWorkspace) return;
    const [first] = await readLine(context, { workspaceId, runId }, 1);
    if (!first) await closeLine(context, { workspaceId, runId }, slots.lines.get(runId)!);
    else if (!(await isOpen(context, first.job)) || (await launch(context, first))) await leaveLine(context, first.job);
    else return;
  }
}

/** Whoever started a step that stood in line may have died before it left the line: the step, and its run, may be over. */
async function isOpen({ table }: RunContext, job: StepJob): Promise<boolean> {
  const step = (await readNodes(table, job, [job.index])).get(job.index);
  return step?.epoch === job.epoch && !isOver(step.status);
}

function nextRun({ runs, lines }: StepSlots, perRun: number): string | undefined {
  const atWork = (runId: string) => runs.get(runId)?.size ?? 0;
  const [next] = [...lines.keys()].filter((runId) => atWork(runId) < perRun).sort((a, b) => atWork(a) - atWork(b));
  return next;
}

/** The steps of a run that stand in line, those first that come first in its plan. */
export async function readLine(
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

/** Whether the step waits for a slot; it is then started by whoever gives one back. */
export async function standsInLine({ table }: RunContext, { workspaceId, runId, index }: StepJob): Promise<boolean> {
  const Key = stepLineKey(workspaceId, runId, index);
  const { Item: item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return item !== undefined;
}

/** What stood in line of a run that is over. */
export async function clearLine(context: RunContext, run: { workspaceId: string; runId: string }): Promise<void> {
  const line = await readLine(context, run);
  for (let place = 0; place < line.length; place += AT_ONCE) {
    await Promise.all(line.slice(place, place + AT_ONCE).map(({ job }) => leaveLine(context, job)));
  }
}

async function leaveLine({ table }: RunContext, { workspaceId, runId, index }: StepJob): Promise<void> {
  await table.db.send(new DeleteCommand({ TableName: table.name, Key: stepLineKey(workspaceId, runId, index) }));
}

/** Nobody stands there any more, unless somebody came after it was read. */
async function closeLine(
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
        ExpressionAttributeNames: { '#line': lineOf(runId) },
        ExpressionAttributeValues: { ':seen': seen },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

const limitsOf = (context: RunContext) => context.stepLimits ?? STEP_LIMITS;
