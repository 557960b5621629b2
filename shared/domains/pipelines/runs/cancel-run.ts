import { AppError } from '../../../platform/errors/app-error.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import type { StoredRun } from '../store/index.ts';
import { isOver, type RunContext, runKey, runRepository } from '../store/index.ts';
import { endRun } from './end-run.ts';
import { forceStop, stopRun } from './stop-run.ts';

/** How long a worker may take to stop before the run ends without it. */
export const CANCEL_GRACE_MS = 30_000;
const CANCEL_DEADLINE_SECONDS = CANCEL_GRACE_MS / 1000 + 2;
const BUSY_TRIES = 4;
const BUSY_DELAY_SECONDS = 5;

/**
 * Cancels a run. A queued run ends at once, or within seconds while many others end. In a running one, steps without a
 * worker end at once and workers see the flag within seconds; after `CANCEL_DEADLINE_SECONDS` the run ends without
 * them. Throws `RUN_NOT_FOUND` and `RUN_NOT_ACTIVE`; can be repeated.
 */
export async function cancelRun(
  context: RunContext,
  place: { workspaceId: string; runId: string },
  reason: string,
): Promise<StoredRun> {
  const runs = runRepository(context.table);
  const run = await runs.get(place.workspaceId, place.runId);
  if (!run) throw new AppError('RUN_NOT_FOUND');
  if (isOver(run.status)) throw new AppError('RUN_NOT_ACTIVE');
  if (!run.cancelRequestedAt) await request(context, run, reason);
  if (run.status === 'queued') await endQueued(context, run, reason);
  else await stopRun(context, run);
  const now = (await runs.get(place.workspaceId, place.runId)) ?? run;
  if (now.status === 'running') await endLater(context, run, CANCEL_DEADLINE_SECONDS);
  return now;
}

/** While many runs of the pipeline end at once, a worker ends this one, so that no caller waits for its turn. */
async function endQueued(context: RunContext, run: StoredRun, reason: string): Promise<void> {
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt };
  try {
    await endRun(context, job, { status: 'cancelled', cancelReason: reason }, BUSY_TRIES);
  } catch (cause) {
    if (!(cause instanceof AppError && cause.code === 'SERVICE_BUSY')) throw cause;
    await endLater(context, run, Math.ceil(context.random() * BUSY_DELAY_SECONDS));
  }
}

async function endLater(context: RunContext, run: StoredRun, delaySeconds: number): Promise<void> {
  const message = { kind: 'cancel-deadline', workspaceId: run.workspaceId, runId: run.id } as const;
  await context.queue.send([{ message, delaySeconds }]);
}

/**
 * Cancels the runs that a waiting run replaces. Repeated with each check of the run, in case the worker that stored it
 * crashed.
 */
export async function cancelReplaced(context: RunContext, run: StoredRun): Promise<void> {
  if (!run.replaces) return;
  for (const replaced of await runRepository(context.table).getMany(run.workspaceId, run.replaces)) {
    if (isOver(replaced.status) || replaced.cancelRequestedAt) continue;
    await cancelUnlessOver(context, { workspaceId: run.workspaceId, runId: replaced.id }, 'superseded');
  }
}

/** `cancelRun` for a run that may end at the same moment. */
export async function cancelUnlessOver(
  context: RunContext,
  place: { workspaceId: string; runId: string },
  reason: string,
): Promise<void> {
  await cancelRun(context, place, reason).catch((cause: unknown) => {
    if (!(cause instanceof AppError && cause.code === 'RUN_NOT_ACTIVE')) throw cause;
  });
}

async function request(context: RunContext, run: StoredRun, reason: string): Promise<void> {
  try {
    await transact(context.table, [
      {
        Update: updateOf(
          context.table,
          runKey(run.workspaceId, run.id),
          { set: { cancelRequestedAt: context.now().toISOString(), cancelReason: reason } },
          { equals: { status: run.status, attempt: run.attempt }, absent: ['cancelRequestedAt'] },
        ),
      },
    ]);
  } catch (cause) {
    if (!failedConditions(cause).has(0)) throw cause;
    const current = await runRepository(context.table).get(run.workspaceId, run.id);
    if (!current || isOver(current.status)) throw new AppError('RUN_NOT_ACTIVE', { cause });
    // The run has started since: cancel the running one.
    if (!current.cancelRequestedAt) await request(context, current, reason);
    run.status = current.status;
  }
}

/** Ends a cancelled run whose workers did not stop in time. */
export async function forceCancel(context: RunContext, place: { workspaceId: string; runId: string }): Promise<void> {
  const run = await runRepository(context.table).get(place.workspaceId, place.runId);
  if (run && !isOver(run.status) && run.cancelRequestedAt) await forceStop(context, run);
}
