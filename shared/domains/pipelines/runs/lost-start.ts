import type { Dag } from '../definition/dag.ts';
import type { StepError, StoredRun, StoredStep } from '../store/records.ts';
import { CHECK_AFTER_MS, type RunContext } from '../store/run-store.ts';
import { beginAttempt } from './begin-attempt.ts';
import { announceNoWorker } from './compute-events.ts';
import { type AfterFailure, failAttempt } from './fail-attempt.ts';
import { noteIdle } from './idle-step.ts';

/** So many workers in a row may end before they begin with a step: what kills them is likely to kill the next one too. */
const MAX_LOST_STARTS = 5;

/** For so long nothing may be there to work on a step: a shortage passes, a mistake in the deployment does not. */
const LONGEST_WITHOUT_WORKER_MS = 60 * 60 * 1000;

/** One start that was lost is nothing to tell; after this long nobody takes the steps. */
const TOLD_AFTER_MS = 5 * 60 * 1000;

/** Why nobody has begun with a step that may begin. */
export type Loss =
  /** What was started for it ended without having begun with it; `error` is what its attempt would fail with. */
  | { kind: 'ended'; error: StepError }
  /** Nothing could be started, neither a container nor a function of this size. */
  | { kind: 'not_started'; size: string }
  /** Whatever was started has not been heard of. */
  | { kind: 'unheard' };

export interface LostStart {
  run: StoredRun;
  dag: Dag;
  /** As it was found, waiting to begin. */
  step: StoredStep;
  /** Who fails its attempt, if it comes to that. */
  holder: string;
  loss: Loss;
  /** When the next start comes, after so many that ended; it comes at once when absent. */
  waitSeconds?: (ended: number) => number;
}

export type AfterLostStart =
  /** It is to be started again, after this long. */
  { kind: 'again'; waitSeconds: number } | AfterFailure;

/**
 * Notes that a start has come to nothing. It costs no attempt at first; a step that has used up its patience fails one, which
 * its retries, or else its end, follow. Told twice, a start counts twice.
 */
export async function noteLostStart(context: RunContext, lost: LostStart): Promise<AfterLostStart> {
  const { run, dag, step, holder, loss, waitSeconds = () => 0 } = lost;
  const now = context.now();
  const noWorkerSince = step.noWorkerSince ?? now.toISOString();
  const sinceMs = now.getTime() - Date.parse(noWorkerSince);
  const startsLost = (step.startsLost ?? 0) + (loss.kind === 'ended' ? 1 : 0);
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: step.epoch, index: step.index };
  if (loss.kind === 'not_started') await announce(context, run, noWorkerSince, loss.size);
  if (loss.kind === 'unheard' && sinceMs >= TOLD_AFTER_MS) await announce(context, run, noWorkerSince, null);
  if (startsLost < MAX_LOST_STARTS && sinceMs < LONGEST_WITHOUT_WORKER_MS) {
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
  return { code: 'WORKER_UNAVAILABLE', message: 'For an hour nothing could be started to work on the step.' };
}

function announce(context: RunContext, run: StoredRun, failingSince: string, size: string | null): Promise<void> {
  const what = size === null ? 'worker' : size === 'container' ? 'container' : 'function';
  const message = `No ${what} can be started for a step.`;
  return announceNoWorker(context, run, { size, error: { code: 'WORKER_UNAVAILABLE', message }, failingSince });
}
