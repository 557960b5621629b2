import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { MessageQueue } from '../../../../shared/platform/messaging/message-queue.ts';
import { instantsBetween } from '../../../../shared/platform/schedule/schedule.ts';
import {
  type DueItem,
  dueItems,
  type Failure,
  workOnDue,
  workspaceOf,
} from '../../../../shared/platform/storage/due-items.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';

/** Longer than the interval of the tick, so that a late tick leaves no gap. */
const AHEAD_MS = 75_000;
/** Instants that were missed longer ago are skipped. */
const LATEST_MS = 24 * 60 * 60 * 1000;

/** How long the schedules of one workspace may compute in a tick; what is left of them waits for the next tick. */
const MAX_WORKSPACE_MS = 2_000;

/** A kind of items with a schedule. */
export interface Scheduled<M> {
  /** Partitions of the due index. */
  partitions: readonly string[];
  queue: MessageQueue<M>;
  /** The plan of an item; undefined if the item was deleted or has no schedule. */
  find(item: DueItem): Promise<Plan<M> | null | undefined>;
}

export interface Plan<M> {
  next(after: Date): Date | undefined;
  message(instant: Date): M;
  /** The delay of a message after its instant; 0 when absent. */
  spreadSeconds?(instant: Date): number;
}

/** Due at the time of the item, and from then on at intervals. */
export function repeated<M>({ dueAt }: DueItem, everyMs: number, message: M): Plan<M> {
  const first = Date.parse(dueAt);
  return {
    next: (after) => {
      const passed = Math.floor((after.getTime() - first) / everyMs) + 1;
      return new Date(first + Math.max(0, passed) * everyMs);
    },
    message: () => message,
  };
}

export interface Tick {
  table: Table;
  now: () => Date;
}

/**
 * Sends a delayed message for each instant of the next minute, and for the last missed one. Workspaces take turns; what
 * is left once `isOver` is true, or once its workspace has computed for too long, waits for the next tick.
 */
export async function announceDue<M>(
  tick: Tick,
  scheduled: Scheduled<M>,
  report: (failure: Failure) => void,
  isOver: () => boolean = () => false,
): Promise<Failure[]> {
  const now = tick.now();
  const until = new Date(now.getTime() + AHEAD_MS);
  const due: DueItem[] = [];
  for (const partition of scheduled.partitions) {
    due.push(...(await Array.fromAsync(dueItems(tick.table, partition, until))));
  }
  due.sort((a, b) => (a.dueAt < b.dueAt ? -1 : 1));
  const computedMs = new Map<string, number>();
  return workOnDue(due, (item) => announce({ tick, scheduled, now, until, computedMs }, item), report, isOver);
}

interface Announcing<M> {
  tick: Tick;
  scheduled: Scheduled<M>;
  now: Date;
  until: Date;
  /** By workspace. */
  computedMs: Map<string, number>;
}

async function announce<M>(announcing: Announcing<M>, item: DueItem): Promise<void> {
  const { tick, scheduled, now, until, computedMs } = announcing;
  const workspaceId = workspaceOf(item);
  const spentMs = () => computedMs.get(workspaceId) ?? 0;
  if (spentMs() > MAX_WORKSPACE_MS) return;
  const plan = await scheduled.find(item);
  if (!plan || spentMs() > MAX_WORKSPACE_MS) return;
  const startedAt = performance.now();
  let instants: Date[];
  let next: Date | undefined;
  try {
    instants = dueInstants(plan.next, new Date(item.dueAt), now, until);
    next = plan.next(until);
  } finally {
    computedMs.set(workspaceId, spentMs() + performance.now() - startedAt);
  }
  await scheduled.queue.send(
    instants.map((instant) => ({
      message: plan.message(instant),
      delaySeconds: (instant.getTime() - now.getTime()) / 1000 + (plan.spreadSeconds?.(instant) ?? 0),
    })),
  );
  await moveOn(tick.table, item, next);
}

/** The instants up to `until`; of the missed ones only the last. */
export function dueInstants(next: Plan<unknown>['next'], dueAt: Date, now: Date, until: Date): Date[] {
  const from = new Date(Math.max(dueAt.getTime(), now.getTime() - LATEST_MS) - 1);
  const instants = instantsBetween(next, from, until);
  const missed = instants.filter((instant) => instant < now);
  return [...missed.slice(-1), ...instants.filter((instant) => instant >= now)];
}

/**
 * Runs after the messages were sent: a tick that crashes in between sends them again, and each instant starts one run.
 */
async function moveOn(table: Table, item: DueItem, next: Date | undefined): Promise<void> {
  const change = next ? { set: { dueAt: next.toISOString() } } : { remove: ['due', 'dueAt'] };
  try {
    await table.db.send(
      new UpdateCommand(updateOf(table, { pk: item.pk, sk: item.sk }, change, { equals: { dueAt: item.dueAt } })),
    );
  } catch (error) {
    // The item has changed and has a new instant in the index.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
