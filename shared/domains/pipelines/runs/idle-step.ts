import { failedConditions } from '../../../platform/storage/collection.ts';
import { transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import type { StepJob } from '../store/launcher.ts';
import type { StoredStep } from '../store/records.ts';
import { stepKey } from '../store/run-keys.ts';
import { CHECK_AFTER_MS, type RunContext } from '../store/run-store.ts';

/** What is noted at a step that may begin and has not; `beginItem` takes all of it away. */
export type IdleNote = Partial<Pick<StoredStep, 'expectedAt' | 'noWorkerSince' | 'startsLost'>>;

/** Notes something at a step that has not begun; one that has needs it no more. */
export async function noteIdle(
  context: RunContext,
  job: StepJob & Partial<Pick<StoredStep, 'attempt'>>,
  note: IdleNote,
): Promise<void> {
  const noted = updateOf(
    context.table,
    stepKey(job.workspaceId, job.runId, job.index),
    { set: note },
    { equals: { epoch: job.epoch, attempt: job.attempt }, oneOf: { status: ['ready', 'waiting'] } },
  );
  try {
    await transact(context.table, [{ Update: noted }]);
  } catch (cause) {
    if (!failedConditions(cause).has(0)) throw cause;
  }
}

/** Whether a step might have begun for so long that whoever was to begin with it is given up. */
export function isOverdue(step: StoredStep, now: number): boolean {
  const { status, readyAt, nextRetryAt, expectedAt } = step;
  const since = status === 'ready' ? readyAt : status === 'waiting' ? nextRetryAt : undefined;
  if (since === undefined || now - Date.parse(since) <= CHECK_AFTER_MS) return false;
  return expectedAt === undefined || now > Date.parse(expectedAt);
}
