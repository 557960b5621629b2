import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { MessageQueue } from '../../../../shared/platform/messaging/message-queue.ts';
import { instantsBetween } from '../../../../shared/platform/schedule/schedule.ts';
import { type DueItem, dueItems, type Failure, workOnDue } from '../../../../shared/platform/storage/due-items.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';

/** Longer than the interval of the tick, so that a late tick leaves no gap. */
const AHEAD_MS = 75_000;
/** Instants that were missed longer ago are skipped. */
const LATEST_MS = 24 * 60 * 60 * 1000;

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

export interface Tick {
  table: Table;
  now: () => Date;
}

/** Sends a delayed message for each instant of the next minute, and for the last missed one. */
export async function announceDue<M>(
  tick: Tick,
  scheduled: Scheduled<M>,
  report: (failure: Failure) => void,
): Promise<Failure[]> {
  const now = tick.now();
  const until = new Date(now.getTime() + AHEAD_MS);
  const failures: Failure[] = [];
  for (const partition of scheduled.partitions) {
    const due = dueItems(tick.table, partition, until);
    failures.push(...(await workOnDue(due, (item) => announce(tick, scheduled, item, now, until), report)));
  }
  return failures;
}

async function announce<M>(tick: Tick, scheduled: Scheduled<M>, item: DueItem, now: Date, until: Date): Promise<void> {
  const plan = await scheduled.find(item);
  if (!plan) return;
  await scheduled.queue.send(
    dueInstants(plan.next, new Date(item.dueAt), now, until).map((instant) => ({
      message: plan.message(instant),
      delaySeconds: (instant.getTime() - now.getTime()) / 1000 + (plan.spreadSeconds?.(instant) ?? 0),
    })),
  );
  await moveOn(tick.table, item, plan.next(until));
}

/** The instants up to `until`; of the missed ones only the last. */
export function dueInstants(next: Plan<unknown>['next'], dueAt: Date, now: Date, until: Date): Date[] {
  const from = new Date(Math.max(dueAt.getTime(), now.getTime() - LATEST_MS) - 1);
  const instants = instantsBetween(next, from, until);
  const missed = instants.filter((instant) => instant < now);
  return [...missed.slice(-1), ...instants.filter((instant) => instant >= now)];
}

/** Runs after the messages were sent: a tick that crashes in between sends them again, and each instant starts one run. */
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
