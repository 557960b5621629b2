import { AppError } from '../errors/app-error.ts';
import { failedConditions } from '../storage/collection.ts';
import { transact } from '../storage/transact.ts';
import { updateOf } from '../storage/update.ts';
import { endRun } from './end-run.ts';
import { isOver, type StoredRun, type StoredStep } from './records.ts';
import { release } from './release.ts';
import { runKey } from './run-keys.ts';
import { planOf, type RunContext, readSteps, runRepository } from './run-store.ts';
import { settleAttempt, settleIdle } from './settle.ts';

/** How long a worker may take to stop before the run ends without it. */
export const CANCEL_GRACE_MS = 30_000;

/**
 * Cancels a run. One that has not started is over at once; of a running one, everything that no worker has in hand is, and
 * the workers see the flag within seconds. Throws `RUN_NOT_FOUND` and `RUN_NOT_ACTIVE`; asking twice is fine.
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
  if (run.status === 'queued') {
    const job = { workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt };
    await endRun(context, job, { status: 'cancelled', cancelReason: reason });
  } else {
    await stopIdleSteps(context, run);
  }
  return (await runs.get(place.workspaceId, place.runId)) ?? run;
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
    // It started in the meantime: ask again, of the running one.
    if (!current.cancelRequestedAt) await request(context, current, reason);
    run.status = current.status;
  }
}

/** Settles what no worker has in hand, and ends the run when that was all. */
async function stopIdleSteps(context: RunContext, run: StoredRun): Promise<void> {
  const steps = await readSteps(context.table, run.workspaceId, run.id);
  const idle = steps.filter(
    (step) =>
      step.kind === 'step' && step.epoch === run.attempt && ['pending', 'ready', 'waiting'].includes(step.status),
  );
  await settleAll(context, run, idle, async (step) =>
    settleIdle(context, jobOf(run, step), step, { status: 'cancelled', skipReason: null }),
  );
}

/** Ends what is left of a cancelled run whose workers did not stop in time. They are fenced: nothing they do counts. */
export async function forceCancel(context: RunContext, place: { workspaceId: string; runId: string }): Promise<void> {
  const run = await runRepository(context.table).get(place.workspaceId, place.runId);
  if (!run || isOver(run.status) || !run.cancelRequestedAt) return;
  await stopIdleSteps(context, run);
  const steps = await readSteps(context.table, run.workspaceId, run.id);
  const running = steps.filter((step) => step.status === 'running' && step.epoch === run.attempt);
  await settleAll(context, run, running, async (step) => {
    const { pipelineId } = run;
    const end = { kind: 'cancelled' } as const;
    const settled = await settleAttempt(context, { job: jobOf(run, step), pipelineId, step, end, billed: true });
    return settled.kind === 'settled';
  });
}

async function settleAll(
  context: RunContext,
  run: StoredRun,
  steps: readonly StoredStep[],
  settle: (step: StoredStep) => Promise<boolean>,
): Promise<void> {
  const plan = await planOf(context, run);
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt };
  for (const step of steps) {
    if (!(await settle(step))) continue;
    const over = { index: step.index, status: 'cancelled', skipReason: null } as const;
    const { end } = await release(context, plan, job, [over], true);
    if (end) await endRun(context, job, { status: end });
  }
}

function jobOf(run: StoredRun, step: StoredStep) {
  return { workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt, index: step.index };
}
