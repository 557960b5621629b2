import type { SampledResult } from '../../../data/quality/gate-result.ts';
import type { Dag } from '../definition/index.ts';
import { retryDelayMs, retryOf } from '../definition/index.ts';
import type { StepError, StoredRun, StoredStep } from '../store/index.ts';
import { planOf, type RunContext } from '../store/index.ts';
import type { AttemptEnd } from './attempt-end.ts';
import { endRun } from './end-run.ts';
import { release } from './release.ts';
import { settleAttempts } from './settle.ts';
import { launchSteps } from './step-queue.ts';
import { stopRun } from './stop-run.ts';

export interface FailedAttempt {
  run: StoredRun;
  dag: Dag;
  /** The step at the start of the attempt. */
  step: StoredStep;
  error: StepError;
  billed: boolean;
  /** The gate results of the step. */
  gates?: readonly SampledResult[] | undefined;
}

export type AfterFailure =
  /** Another attempt follows after this delay. */
  | { kind: 'retry'; delayMs: number }
  /** The step is over: failed, or cancelled with its run. */
  | { kind: 'over' }
  /** Another worker has already ended the attempt. */
  | { kind: 'fenced' };

/** Records a failed attempt: schedules a retry, or ends the step and releases the nodes that wait for it. */
export async function failAttempt(context: RunContext, failed: FailedAttempt): Promise<AfterFailure> {
  const { run, dag, step, error, billed, gates } = failed;
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: step.epoch, index: step.index };
  const policy = retryOf(dag.steps.find((candidate) => candidate.id === step.stepId)!);
  const tries = step.attempt - step.attemptsBefore;
  const cancelled = run.cancelRequestedAt !== undefined || error.code === 'CANCELLED';
  const delayMs = cancelled ? undefined : retryDelayMs(policy, tries, error.code, context.random);
  const settle = (end: AttemptEnd) =>
    settleAttempts(context, { job, pipelineId: run.pipelineId, ends: [{ step, end, billed, gates }] });
  if (delayMs !== undefined) {
    const at = new Date(context.now().getTime() + delayMs);
    const settled = await settle({ kind: 'retry', error, at });
    return settled.kind === 'fenced' ? settled : { kind: 'retry', delayMs };
  }
  const settled = await settle(cancelled ? { kind: 'cancelled' } : { kind: 'failed', error });
  if (settled.kind === 'fenced') return settled;
  if (cancelled || settled.run.cancelRequestedAt) {
    await stopRun(context, settled.run);
    return { kind: 'over' };
  }
  const plan = await planOf(context, run);
  const over = { index: step.index, status: 'failed', skipReason: null } as const;
  const { ready, end, stopped } = await release(context, plan, job, [over]);
  // After a failure only steps ordered by `behind` can become ready.
  await launchSteps(context, job, ready);
  if (end) await endRun(context, job, { status: end });
  if (stopped) await stopRun(context, run);
  return { kind: 'over' };
}
