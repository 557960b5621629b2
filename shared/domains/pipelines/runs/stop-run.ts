import type { RunJob, StoredRun } from '../store/index.ts';
import { isOver, type RunContext, readSteps, type StoredStep } from '../store/index.ts';
import { endRun } from './end-run.ts';
import { settleAttempts } from './settle.ts';
import { settleIdle } from './settle-idle.ts';
import { clearQueue } from './step-queue.ts';

/**
 * Advances a cancel: settles steps without a worker, and ends the run when no worker is left. Every worker that stops
 * calls it, so the last one ends the run.
 */
export async function stopRun(context: RunContext, run: StoredRun): Promise<void> {
  const idle = (await openSteps(context, run)).filter(({ status }) => status !== 'running');
  const outcome = { status: 'cancelled', skipReason: null } as const;
  await settleIdle(
    context,
    jobOf(run),
    idle.map((step) => ({ step, outcome })),
  );
  await endIfStopped(context, run);
}

/** Ends the run without waiting for its workers, which are fenced: they cannot commit anything any more. */
export async function forceStop(context: RunContext, run: StoredRun): Promise<void> {
  for (const step of await openSteps(context, run)) {
    if (step.status !== 'running') continue;
    const end = { kind: 'cancelled' } as const;
    const { pipelineId } = run;
    await settleAttempts(context, { job: jobOf(run), pipelineId, ends: [{ step, end, billed: true }] });
  }
  await stopRun(context, run);
}

async function endIfStopped(context: RunContext, run: StoredRun): Promise<void> {
  if ((await openSteps(context, run)).length > 0) return;
  const job = jobOf(run);
  await clearQueue(context, job);
  await endRun(context, job, { status: 'cancelled' });
}

async function openSteps(context: RunContext, run: StoredRun): Promise<StoredStep[]> {
  const steps = await readSteps(context.table, run.workspaceId, run.id);
  return steps.filter((step) => step.kind === 'step' && step.epoch === run.attempt && !isOver(step.status));
}

function jobOf(run: StoredRun): RunJob {
  return { workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt };
}
