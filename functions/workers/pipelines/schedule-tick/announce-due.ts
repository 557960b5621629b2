import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { MessageQueue } from '../../../../shared/platform/messaging/message-queue.ts';
import { instantsBetween } from '../../../../shared/platform/schedule/schedule.ts';
import { type DueItem, dueItems, type Failure, workOnDue } from '../../../../shared/platform/storage/due-items.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';

/** A little more than the tick's rhythm, so that a late tick leaves no hole. */
const AHEAD_MS = 75_000;
/** A missed instant is made up for when it is not older than this. */
const LATEST_MS = 24 * 60 * 60 * 1000;

/** A kind of things that have a schedule. */
export interface Scheduled<M> {
  /** Of the due index. */
  partitions: readonly string[];
  queue: MessageQueue<M>;
  /** What the item plans now; undefined when it is gone or plans nothing. */
  find(item: DueItem): Promise<Plan<M> | null | undefined>;
}

export interface Plan<M> {
  next(after: Date): Date | undefined;
  message(instant: Date): M;
  /** How long after an instant its message is to come; 0 when absent. */
  spreadSeconds?(instant: Date): number;
}

export interface Tick {
  table: Table;
  now: () => Date;
}

/** Sends a delayed message for each instant of the minute to come, and for the last one that was missed. */
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

/** The instants up to `until`; of those that were missed only the last. */
export function dueInstants(next: Plan<unknown>['next'], dueAt: Date, now: Date, until: Date): Date[] {
  const from = new Date(Math.max(dueAt.getTime(), now.getTime() - LATEST_MS) - 1);
  const instants = instantsBetween(next, from, until);
  const missed = instants.filter((instant) => instant < now);
  return [...missed.slice(-1), ...instants.filter((instant) => instant >= now)];
}

/** After the messages: a tick that dies in between sends them again, and each instant still starts one run. */
async function moveOn(table: Table, item: DueItem, next: Date | undefined): Promise<void> {
  const change = next ? { set: { dueAt: next.toISOString() } } : { remove: ['due', 'dueAt'] };
  try {
    await table.db.send(
      new UpdateCommand(updateOf(table, { pk: item.pk, sk: item.sk }, change, { equals: { dueAt: item.dueAt } })),
    );
  } catch (error) {
    // It was changed in the meantime, and lies in the index at its new instant.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
