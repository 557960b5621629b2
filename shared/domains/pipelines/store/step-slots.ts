import { createHash } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../platform/storage/table.ts';
import { stepSlotsKey } from './run-keys.ts';

/** How many executions may run steps at once. */
export interface StepLimits {
  perRun: number;
  perWorkspace: number;
}

/**
 * Enough for ten blocks with ten concurrent items; several workspaces fit into an account's 1000 concurrent functions.
 */
export const STEP_LIMITS: StepLimits = { perRun: 100, perWorkspace: 200 };

/** Long enough for an execution to start, and for the interval between two heartbeats. */
const SLOT_MS = 60_000;
const MAX_TRIES = 5;

/** The holder of a slot: an execution of the step machine, while it runs one step after the other. */
export interface SlotHolder {
  workspaceId: string;
  runId: string;
  execution: string;
}

/**
 * The slots of a workspace in use, as leases that expire by themselves, never as a count. Two more attributes for each
 * run hold its slots, and a number that exists while some of its steps are queued (`step-queue.ts`).
 */
export interface StepSlots {
  held: Record<string, number>;
  runs: Map<string, ReadonlySet<string>>;
  queues: Map<string, number>;
}

const ofRun = (runId: string) => `run#${runId}`;
export const queueAttributeOf = (runId: string): string => `line#${runId}`;

/** Short, because the item is written whenever a slot is taken or given back. */
export const slotIdOf = (execution: string) => createHash('sha256').update(execution).digest('base64url').slice(0, 10);

/** Takes a slot, or extends the one that the execution holds; false when none is free. */
export async function takeSlot(table: Table, holder: SlotHolder, limits: StepLimits, now: Date): Promise<boolean> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    if (await tryTake(table, holder, limits, now)) return true;
    const { slots, dropped } = await readSlots(table, holder.workspaceId, now);
    if (!dropped && !hasFreeSlot(slots, holder.runId, limits)) return false;
  }
  return false;
}

/** Concurrent first starts of a workspace may fail although slots are free, because one of them creates the item. */
function hasFreeSlot({ held, runs }: StepSlots, runId: string, { perRun, perWorkspace }: StepLimits): boolean {
  return Object.keys(held).length < perWorkspace && (runs.get(runId)?.size ?? 0) < perRun;
}

async function tryTake(
  table: Table,
  { workspaceId, runId, execution }: SlotHolder,
  { perRun, perWorkspace }: StepLimits,
  now: Date,
): Promise<boolean> {
  const id = slotIdOf(execution);
  return tryUpdate(table, workspaceId, {
    UpdateExpression: 'SET #held.#id = :until ADD #run :ids',
    ConditionExpression:
      'attribute_exists(#held.#id) OR ' +
      '(size(#held) < :perWorkspace AND (attribute_not_exists(#run) OR size(#run) < :perRun))',
    ExpressionAttributeNames: { '#held': 'held', '#id': id, '#run': ofRun(runId) },
    ExpressionAttributeValues: {
      ':until': now.getTime() + SLOT_MS,
      ':ids': new Set([id]),
      ':perRun': perRun,
      ':perWorkspace': perWorkspace,
    },
  });
}

/** Extends a slot, unless it has expired. */
export async function holdSlot(
  table: Table,
  { workspaceId, execution }: SlotHolder,
  now: Date,
  forMs = SLOT_MS,
): Promise<void> {
  await tryUpdate(table, workspaceId, {
    UpdateExpression: 'SET #held.#id = :until',
    ConditionExpression: 'attribute_exists(#held.#id)',
    ExpressionAttributeNames: { '#held': 'held', '#id': slotIdOf(execution) },
    ExpressionAttributeValues: { ':until': now.getTime() + forMs },
  });
}

/** Frees a slot, if it is held; returns whether steps are queued. */
export async function freeSlot(table: Table, { workspaceId, runId, execution }: SlotHolder): Promise<boolean> {
  const id = slotIdOf(execution);
  try {
    const { Attributes } = await table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key: stepSlotsKey(workspaceId),
        UpdateExpression: 'REMOVE #held.#id DELETE #run :ids',
        ConditionExpression: 'attribute_exists(#held)',
        ExpressionAttributeNames: { '#held': 'held', '#id': id, '#run': ofRun(runId) },
        ExpressionAttributeValues: { ':ids': new Set([id]) },
        ReturnValues: 'ALL_NEW',
      }),
    );
    return Object.keys(Attributes!).some((name) => name.startsWith('line#'));
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** The slots in use, after dropping expired ones. `dropped`: slots may have become free. */
export async function readSlots(
  table: Table,
  workspaceId: string,
  now: Date,
): Promise<{ slots: StepSlots; dropped: boolean }> {
  const { Item: item } = await table.db.send(
    new GetCommand({ TableName: table.name, Key: stepSlotsKey(workspaceId), ConsistentRead: true }),
  );
  if (!item) {
    await create(table, workspaceId);
    return { slots: { held: {}, runs: new Map(), queues: new Map() }, dropped: true };
  }
  const slots = slotsOf(item);
  const expired = Object.entries(slots.held).filter(([, until]) => until < now.getTime());
  for (const [id, until] of expired) await drop(table, workspaceId, slots, id, until);
  return { slots, dropped: expired.length > 0 };
}

function slotsOf(item: Record<string, unknown>): StepSlots {
  const named = <T>(prefix: string) =>
    new Map(
      Object.entries(item)
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, value]) => [name.slice(prefix.length), value as T]),
    );
  return { held: item.held as Record<string, number>, runs: named('run#'), queues: named('line#') };
}

/** Removes an expired slot unless it was extended since. */
async function drop(table: Table, workspaceId: string, slots: StepSlots, id: string, until: number): Promise<void> {
  const [runId = '', own = new Set<string>()] = [...slots.runs].find(([, ids]) => ids.has(id)) ?? [];
  await tryUpdate(table, workspaceId, {
    UpdateExpression: 'REMOVE #held.#id DELETE #run :ids',
    ConditionExpression: '#held.#id = :until',
    ExpressionAttributeNames: { '#held': 'held', '#id': id, '#run': ofRun(runId) },
    ExpressionAttributeValues: { ':until': until, ':ids': new Set([id]) },
  });
  delete slots.held[id];
  slots.runs.set(runId, new Set([...own].filter((other) => other !== id)));
}

async function create(table: Table, workspaceId: string): Promise<void> {
  try {
    await table.db.send(
      new PutCommand({
        TableName: table.name,
        Item: { ...stepSlotsKey(workspaceId), entity: 'step-slots', held: {} },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** Returns whether the condition held. */
async function tryUpdate(
  table: Table,
  workspaceId: string,
  update: Omit<ConstructorParameters<typeof UpdateCommand>[0], 'TableName' | 'Key'>,
): Promise<boolean> {
  try {
    await table.db.send(new UpdateCommand({ TableName: table.name, Key: stepSlotsKey(workspaceId), ...update }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
