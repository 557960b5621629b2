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
} from '../../../../shared/domains/pipelines/index.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { StepFailure } from './attempt.ts';

const LOOK_EVERY_MS = 2_000;
const HEARTBEAT_EVERY_MS = 15_000;

export interface Watched {
  stepId: string;
  item: string | number | null;
  attempt: number;
  execution: string;
  /** How long it may take. */
  timeoutSeconds: number;
  /** How far its running statement is, 0 to 100; undefined when nothing can be said. */
  percent(): number | undefined;
}

/**
 * While an attempt works: stores its new log lines and looks for a cancel and tells of progress every 2 seconds, prolongs its lease and its slot every 15.
 * Aborts `controller` with the reason when the run is cancelled, the attempt was given up or its time is over. Answers how to stop
 * watching.
 */
export function watch(
  context: RunContext,
  job: StepJob,
  watched: Watched,
  log: StepLog,
  controller: AbortController,
): () => void {
  const { timeoutSeconds } = watched;
  const stopWith = (message: string) => controller.abort(new StepFailure('CANCELLED', message));
  let told = 0;
  const look = async () => {
    const percent = Math.floor(watched.percent() ?? 0);
    if (percent > told) {
      told = percent;
      await tellProgress(context, job, watched, percent);
    }
    if (await isCancelled(context, job)) stopWith('The run was cancelled.');
    await log.flush();
  };
  const heartbeat = async () => {
    if (!(await prolong(context, job, watched.attempt))) return stopWith('The attempt was given up.');
    await holdSlot(context.table, { ...job, execution: watched.execution }, context.now());
  };
  // What fails here fails again, or better, at the end of the attempt.
  const timers = [
    setTimeout(() => controller.abort(tookTooLong(timeoutSeconds)), timeoutSeconds * 1000),
    setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS),
    setInterval(() => void heartbeat().catch(() => undefined), HEARTBEAT_EVERY_MS),
  ];
  return () => timers.forEach(clearInterval);
}

export const tookTooLong = (seconds: number) => new StepFailure('TIMEOUT', `The step took longer than ${seconds} s.`);

async function tellProgress(context: RunContext, job: StepJob, watched: Watched, percent: number): Promise<void> {
  const reserved = await reserveEvents(context.table, job, 1);
  if (!reserved) return;
  const { stepId, item, attempt } = watched;
  const data = { stepId, item, attempt, percent };
  await transact(context.table, [
    eventItem(context.table, job, reserved.first, { type: 'step.progress', data }, context.now()),
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

/** Prolongs the lease of an attempt; false when it was given up. */
export async function prolong(context: RunContext, job: StepJob, attempt: number): Promise<boolean> {
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
