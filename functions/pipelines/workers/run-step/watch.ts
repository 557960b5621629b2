import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  eventItem,
  holdSlot,
  LEASE_MS,
  type RunContext,
  reserveEvents,
  runKey,
  type StepJob,
  type StepLog,
  stepKey,
} from '../../../../shared/domains/pipelines/store/index.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { lostAttempt, StepFailure } from './attempt.ts';
import type { UnsettledEnds } from './unsettled-ends.ts';

const CHECK_EVERY_MS = 2_000;
const HEARTBEAT_EVERY_MS = 15_000;

export interface Watched {
  stepId: string;
  item: string | number | null;
  attempt: number;
  execution: string;
  timeoutSeconds: number;
  /** What the worker has not stored yet, of this attempt and of those before it. */
  unsettled: UnsettledEnds;
  /** Progress of the running statement, 0 to 100; undefined when unknown. */
  percent(): number | undefined;
}

/**
 * Watches a running attempt: within a second it stores that the attempt has begun, if that is not stored yet; every 2
 * seconds it stores new log lines, reports progress and checks for a cancel; every 15 it extends the lease and the
 * slot. Aborts `controller` with the reason when the run is cancelled, the lease is lost or the attempt times out.
 * Returns a function that stops watching.
 */
export function watch(
  context: RunContext,
  job: StepJob,
  watched: Watched,
  log: StepLog,
  controller: AbortController,
): () => void {
  const { timeoutSeconds, unsettled } = watched;
  let reported = 0;
  const begin = async () => {
    if (await unsettled.store()) controller.abort(lostAttempt());
  };
  const report = async () => {
    await begin();
    const percent = Math.floor(watched.percent() ?? 0);
    if (percent > reported) {
      reported = percent;
      await reportProgress(context, job, watched, percent);
    }
    await log.flush();
  };
  const check = async () => {
    if (await isCancelled(context, job)) controller.abort(new StepFailure('CANCELLED', 'The run was cancelled.'));
  };
  const heartbeat = async () => {
    await begin();
    if (!(await extendLease(context, job, watched.attempt))) return controller.abort(lostAttempt());
    await holdSlot(context.table, { ...job, execution: watched.execution }, context.now());
  };
  // Errors here are ignored: the end of the attempt meets them again.
  const dueInMs = unsettled.dueInMs();
  const timers = [
    ...(dueInMs === undefined ? [] : [setTimeout(() => void begin().catch(() => undefined), dueInMs)]),
    setTimeout(() => controller.abort(timedOut(timeoutSeconds)), timeoutSeconds * 1000),
    setInterval(() => void report().catch(() => undefined), CHECK_EVERY_MS),
    setInterval(() => void check().catch(() => undefined), CHECK_EVERY_MS),
    setInterval(() => void heartbeat().catch(() => undefined), HEARTBEAT_EVERY_MS),
  ];
  return () => timers.forEach(clearInterval);
}

export const timedOut = (seconds: number) => new StepFailure('TIMEOUT', `The step took longer than ${seconds} s.`);

async function reportProgress(context: RunContext, job: StepJob, watched: Watched, percent: number): Promise<void> {
  const reserved = await reserveEvents(context.table, job, 1);
  if (!reserved) return;
  const { stepId, item, attempt } = watched;
  const data = { stepId, item, attempt, percent };
  await transact(context.table, [
    eventItem(context.table, job, reserved.first, [{ type: 'step.progress', data }], context.now()),
  ]);
}

async function isCancelled(context: RunContext, job: StepJob): Promise<boolean> {
  const found = await context.table.db.send(
    new GetCommand({
      TableName: context.table.name,
      Key: runKey(job.workspaceId, job.runId),
      ProjectionExpression: 'cancelRequestedAt',
    }),
  );
  return found.Item?.cancelRequestedAt !== undefined;
}

/** Extends the lease of an attempt; false when another worker has taken over or the attempt has ended. */
export async function extendLease(context: RunContext, job: StepJob, attempt: number): Promise<boolean> {
  const leaseUntil = new Date(context.now().getTime() + LEASE_MS).toISOString();
  try {
    await context.table.db.send(
      new UpdateCommand(
        updateOf(
          context.table,
          stepKey(job.workspaceId, job.runId, job.index),
          { set: { leaseUntil } },
          { equals: { status: 'running', attempt, epoch: job.epoch } },
        ),
      ),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
