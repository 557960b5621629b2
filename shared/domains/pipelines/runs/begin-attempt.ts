import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import type { StepJob } from '../store/index.ts';
import { eventItem, isOver, type RunContext, reserveEvents, type StoredStep } from '../store/index.ts';
import { stepEvent } from './step-events.ts';
import { beginItem } from './step-items.ts';
import { stopRun } from './stop-run.ts';

/** Begins an attempt; undefined if another worker was first or the step must not begin any more. */
export async function beginAttempt(
  context: RunContext,
  job: StepJob,
  stored: StoredStep,
  holder: string,
): Promise<StoredStep | undefined> {
  if (stored.status !== 'ready' && stored.status !== 'waiting') return undefined;
  const reserved = await reserveEvents(context.table, job, 1);
  if (!reserved || isOver(reserved.run.status)) return undefined;
  if (reserved.run.cancelRequestedAt) {
    await stopRun(context, reserved.run);
    return undefined;
  }
  const at = context.now();
  const attempt = stored.attempt + 1;
  try {
    await transact(context.table, [
      beginItem(context.table, job, { states: ['ready', 'waiting'], attempt: stored.attempt }, { holder, at }),
      eventItem(context.table, job, reserved.first, [stepEvent(stored, 'running', attempt)], at),
    ]);
  } catch (cause) {
    if (failedConditions(cause).has(0)) return undefined;
    throw cause;
  }
  return { ...stored, status: 'running', attempt, holder, startedAt: at.toISOString() };
}
