import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { StepJob } from '../../../shared/pipelines/launcher.ts';
import { runKey, stepKey } from '../../../shared/pipelines/run-keys.ts';
import type { RunContext } from '../../../shared/pipelines/run-store.ts';
import { LEASE_MS } from '../../../shared/pipelines/settle.ts';
import type { StepLog } from '../../../shared/pipelines/step-logs.ts';
import { updateOf } from '../../../shared/storage/update.ts';
import { StepFailure } from './attempt.ts';

const LOOK_EVERY_MS = 2_000;
const HEARTBEAT_EVERY_MS = 15_000;

/**
 * While an attempt works: stores its new log lines and looks for a cancel every 2 seconds, prolongs its lease every 15.
 * Aborts `controller` with the reason when the run is cancelled or the attempt was given up. Answers how to stop watching.
 */
export function watch(
  context: RunContext,
  job: StepJob,
  attempt: number,
  log: StepLog,
  controller: AbortController,
): () => void {
  const stopWith = (message: string) => controller.abort(new StepFailure('CANCELLED', message));
  const look = async () => {
    await log.flush();
    if (await isCancelled(context, job)) stopWith('The run was cancelled.');
  };
  const heartbeat = async () => {
    if (!(await prolong(context, job, attempt))) stopWith('The attempt was given up.');
  };
  // What fails here fails again, or better, at the end of the attempt.
  const timers = [
    setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS),
    setInterval(() => void heartbeat().catch(() => undefined), HEARTBEAT_EVERY_MS),
  ];
  return () => timers.forEach(clearInterval);
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

async function prolong(context: RunContext, job: StepJob, attempt: number): Promise<boolean> {
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
