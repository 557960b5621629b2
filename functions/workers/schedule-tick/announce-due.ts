import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { nextRunAt, pipelineRepository } from '../../../shared/pipelines/pipeline-store.ts';
import type { StoredPipeline } from '../../../shared/pipelines/records.ts';
import { SCHEDULE_SHARDS } from '../../../shared/pipelines/run-keys.ts';
import type { RunContext } from '../../../shared/pipelines/run-store.ts';
import type { WorkQueue } from '../../../shared/pipelines/work-queue.ts';
import { instantsBetween } from '../../../shared/schedule/schedule.ts';
import { updateOf } from '../../../shared/storage/update.ts';
import { type DueItem, dueItems, type Failure, workOnDue } from './due-items.ts';

/** A little more than the tick's rhythm, so that a late tick leaves no hole. */
const AHEAD_MS = 75_000;
/** A missed instant is made up for when it is not older than this. */
const LATEST_MS = 24 * 60 * 60 * 1000;

/** Sends a delayed message for each instant of the minute to come, and for the last one that was missed. */
export async function announceDue(
  context: RunContext,
  queue: WorkQueue,
  report: (failure: Failure) => void,
): Promise<Failure[]> {
  const now = context.now();
  const until = new Date(now.getTime() + AHEAD_MS);
  const failures: Failure[] = [];
  for (let shard = 0; shard < SCHEDULE_SHARDS; shard++) {
    const due = dueItems(context.table, `pipeline-schedule#${shard}`, until);
    failures.push(...(await workOnDue(due, (item) => announce(context, queue, item, now, until), report)));
  }
  return failures;
}

async function announce(context: RunContext, queue: WorkQueue, item: DueItem, now: Date, until: Date): Promise<void> {
  const workspaceId = item.pk.split('#')[1]!;
  const pipeline = await pipelineRepository(context.table).get(workspaceId, item.sk);
  if (!pipeline?.schedule) return;
  const instants = dueInstants(pipeline, new Date(item.dueAt), now, until);
  await queue.send(
    instants.map((instant) => ({
      message: {
        kind: 'fire-schedule',
        workspaceId,
        pipelineId: pipeline.id,
        scheduledAt: instant.toISOString(),
      },
      delaySeconds: (instant.getTime() - now.getTime()) / 1000,
    })),
  );
  await moveOn(context, item, nextRunAt(pipeline, until));
}

/** The instants up to `until`; of those that were missed only the last. */
export function dueInstants(pipeline: StoredPipeline, dueAt: Date, now: Date, until: Date): Date[] {
  const from = Math.max(dueAt.getTime(), now.getTime() - LATEST_MS) - 1;
  const instants = instantsBetween(pipeline.schedule!, new Date(from), until);
  const missed = instants.filter((instant) => instant < now);
  return [...missed.slice(-1), ...instants.filter((instant) => instant >= now)];
}

/** After the messages: a tick that dies in between sends them again, and each instant still starts one run. */
async function moveOn(context: RunContext, item: DueItem, next: Date | undefined): Promise<void> {
  const { table } = context;
  const change = next ? { set: { dueAt: next.toISOString() } } : { remove: ['due', 'dueAt'] };
  try {
    await table.db.send(
      new UpdateCommand(updateOf(table, { pk: item.pk, sk: item.sk }, change, { equals: { dueAt: item.dueAt } })),
    );
  } catch (error) {
    // The pipeline was changed in the meantime, and lies in the index at its new instant.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
