import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import type { StepJob, StoredStep } from '../store/index.ts';
import { CHECK_AFTER_MS, type RunContext, stepKey } from '../store/index.ts';

/** Notes about a ready step that has not begun; `beginItem` removes them. */
export type IdleNote = Partial<Pick<StoredStep, 'expectedAt' | 'noWorkerSince' | 'startsLost'>>;

/** Stores notes with a step, unless it has begun. */
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

/** Whether a step has been ready for so long that its worker counts as lost. */
export function isOverdue(step: StoredStep, now: number): boolean {
  const { status, readyAt, nextRetryAt, expectedAt } = step;
  const since = status === 'ready' ? readyAt : status === 'waiting' ? nextRetryAt : undefined;
  if (since === undefined || now - Date.parse(since) <= CHECK_AFTER_MS) return false;
  return expectedAt === undefined || now > Date.parse(expectedAt);
}
