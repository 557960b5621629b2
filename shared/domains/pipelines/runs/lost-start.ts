import type { Dag } from '../definition/index.ts';
import type { StepError, StoredRun, StoredStep } from '../store/index.ts';
import { CHECK_AFTER_MS, type RunContext } from '../store/index.ts';
import { beginAttempt } from './begin-attempt.ts';
import { announceNoWorker } from './compute-events.ts';
import { type AfterFailure, failAttempt } from './fail-attempt.ts';
import { noteIdle } from './idle-step.ts';

/** After this many workers in a row ended before the step began, the next one is likely to fail too. */
export const MAX_LOST_STARTS = 5;

/** How long a step may wait for a worker: a shortage passes, a mistake in the deployment does not. */
const MAX_WITHOUT_WORKER_MS = 60 * 60 * 1000;

/** A single lost start is not reported; a step without a worker for this long is. */
const REPORT_AFTER_MS = 5 * 60 * 1000;

/** Why a ready step has not begun. */
export type Loss =
  /** The started worker ended before the step began; `error` is the error of the attempt if it fails. */
  | { kind: 'ended'; error: StepError }
  /** No container, or no function of this size, could be started. */
  | { kind: 'not_started'; size: string }
  /** The started worker has sent no heartbeat. */
  | { kind: 'silent' };

export interface LostStart {
  run: StoredRun;
  dag: Dag;
  /** The step, ready or waiting. */
  step: StoredStep;
  /** The holder of the attempt, if it has to fail. */
  holder: string;
  loss: Loss;
  /** The delay before the next start, by the number of starts that ended; none if absent. */
  waitSeconds?: (ended: number) => number;
}

export type AfterLostStart =
  /** The step has to be started again after this delay. */
  { kind: 'again'; waitSeconds: number } | AfterFailure;

/**
 * Records a lost start. Lost starts cost no attempt until their limit is reached; then an attempt fails, and the
 * retries of the step apply. A start that is reported twice counts twice.
 */
export async function recordLostStart(context: RunContext, lost: LostStart): Promise<AfterLostStart> {
  const { run, dag, step, holder, loss, waitSeconds = () => 0 } = lost;
  const now = context.now();
  const noWorkerSince = step.noWorkerSince ?? now.toISOString();
  const sinceMs = now.getTime() - Date.parse(noWorkerSince);
  const startsLost = (step.startsLost ?? 0) + (loss.kind === 'ended' ? 1 : 0);
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: step.epoch, index: step.index };
  if (loss.kind === 'not_started') await announce(context, run, noWorkerSince, loss.size);
  if (loss.kind === 'silent' && sinceMs >= REPORT_AFTER_MS) await announce(context, run, noWorkerSince, null);
  if (startsLost < MAX_LOST_STARTS && sinceMs < MAX_WITHOUT_WORKER_MS) {
    const seconds = waitSeconds(startsLost);
    const expectedAt = new Date(now.getTime() + seconds * 1000 + CHECK_AFTER_MS).toISOString();
    const note = { noWorkerSince, startsLost, ...(seconds > 0 ? { expectedAt } : {}) };
    await noteIdle(context, { ...job, attempt: step.attempt }, note);
    return { kind: 'again', waitSeconds: seconds };
  }
  const begun = await beginAttempt(context, job, step, holder);
  if (!begun) return { kind: 'fenced' };
  return failAttempt(context, { run, dag, step: begun, error: errorOf(loss), billed: false });
}

function errorOf(loss: Loss): StepError {
  if (loss.kind === 'ended') return loss.error;
  return { code: 'WORKER_UNAVAILABLE', message: 'No worker could be started for the step within an hour.' };
}

function announce(context: RunContext, run: StoredRun, failingSince: string, size: string | null): Promise<void> {
  const what = size === null ? 'worker' : size === 'container' ? 'container' : 'function';
  const message = `No ${what} can be started for a step.`;
  return announceNoWorker(context, run, { size, error: { code: 'WORKER_UNAVAILABLE', message }, failingSince });
}
