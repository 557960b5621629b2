import type { SampledResult } from '../../../data/quality/gate-result.ts';
import type { Dag } from '../definition/dag.ts';
import { retryDelayMs, retryOf } from '../definition/retry.ts';
import type { StepError, StoredRun, StoredStep } from '../store/records.ts';
import { planOf, type RunContext } from '../store/run-store.ts';
import { endRun } from './end-run.ts';
import { release } from './release.ts';
import { settleAttempt } from './settle.ts';
import { launchSteps } from './step-queue.ts';
import { stopRun } from './stop-run.ts';

export interface FailedAttempt {
  run: StoredRun;
  dag: Dag;
  /** As it was when the attempt began. */
  step: StoredStep;
  error: StepError;
  billed: boolean;
  /** What the gates of the step said. */
  gates?: readonly SampledResult[] | undefined;
}

export type AfterFailure =
  /** There is another attempt, after this long. */
  | { kind: 'retry'; delayMs: number }
  /** The step is over: failed, or cancelled with its run. */
  | { kind: 'over' }
  /** The attempt had been given up already. */
  | { kind: 'fenced' };

/** Writes a failed attempt down: another attempt after the step's delay, or the end of the step and what follows from it. */
export async function failAttempt(context: RunContext, failed: FailedAttempt): Promise<AfterFailure> {
  const { run, dag, step, error, billed, gates } = failed;
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: step.epoch, index: step.index };
  const policy = retryOf(dag.steps.find((candidate) => candidate.id === step.stepId)!);
  const tries = step.attempt - step.attemptsBefore;
  const cancelled = run.cancelRequestedAt !== undefined || error.code === 'CANCELLED';
  const delayMs = cancelled ? undefined : retryDelayMs(policy, tries, error.code, context.random);
  const common = { job, pipelineId: run.pipelineId, step, billed, gates };
  if (delayMs !== undefined) {
    const at = new Date(context.now().getTime() + delayMs);
    const settled = await settleAttempt(context, { ...common, end: { kind: 'retry', error, at } });
    return settled.kind === 'fenced' ? settled : { kind: 'retry', delayMs };
  }
  const settled = await settleAttempt(context, {
    ...common,
    end: cancelled ? { kind: 'cancelled' } : { kind: 'failed', error },
  });
  if (settled.kind === 'fenced') return settled;
  if (cancelled || settled.run.cancelRequestedAt) {
    await stopRun(context, settled.run);
    return { kind: 'over' };
  }
  const plan = await planOf(context, run);
  const over = { index: step.index, status: 'failed', skipReason: null } as const;
  const { ready, end, stopped } = await release(context, plan, job, [over]);
  // Only an edge that keeps order lets a step begin after a failure.
  await launchSteps(context, job, ready);
  if (end) await endRun(context, job, { status: end });
  if (stopped) await stopRun(context, run);
  return { kind: 'over' };
}
