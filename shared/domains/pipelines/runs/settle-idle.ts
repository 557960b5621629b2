import type { TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import type { SkipReason } from '../definition/index.ts';
import type { RunJob, StoredStep } from '../store/index.ts';
import { eventItem, type RunContext, reserveEvents, stepKey } from '../store/index.ts';
import { stepEvent } from './step-events.ts';

/** A transaction holds 100 items: the states of the steps and one item with their events. */
const STEPS_PER_WRITE = 99;

/** A step without a worker and its outcome: skipped because of other steps, or cancelled before it began. */
export interface IdleStep {
  step: Pick<StoredStep, 'index' | 'stepId' | 'item' | 'attempt'>;
  outcome: { status: 'skipped' | 'cancelled'; skipReason: SkipReason | null };
}

/**
 * Settles steps without a worker, many in one transaction: thousands of a large run may end at once. Returns the
 * indexes of the settled steps; steps that another worker has settled or begun since stay unchanged.
 */
export async function settleIdle(context: RunContext, job: RunJob, idle: readonly IdleStep[]): Promise<Set<number>> {
  const settled = new Set<number>();
  for (let place = 0; place < idle.length; place += STEPS_PER_WRITE) {
    let group = idle.slice(place, place + STEPS_PER_WRITE);
    // Steps that are no longer idle are left out of the next try.
    while (group.length > 0) {
      const busy = await settleTogether(context, job, group);
      if (busy.size === 0) for (const { step } of group) settled.add(step.index);
      group = busy.size === 0 ? [] : group.filter((_one, index) => !busy.has(index));
    }
  }
  return settled;
}

/** Settles all of them or none; returns the positions in the group that failed the transaction. */
async function settleTogether(context: RunContext, job: RunJob, group: readonly IdleStep[]): Promise<Set<number>> {
  const { table } = context;
  const reserved = await reserveEvents(table, job, group.length);
  if (!reserved) return new Set(group.keys());
  const at = context.now();
  const changes = group.map(
    ({ step, outcome }): TransactItem => ({
      Update: updateOf(
        table,
        stepKey(job.workspaceId, job.runId, step.index),
        { set: { ...outcome, finishedAt: at.toISOString() }, remove: ['pending', 'nextRetryAt'] },
        { equals: { epoch: job.epoch }, oneOf: { status: ['pending', 'ready', 'waiting'] } },
      ),
    }),
  );
  const events = group.map(({ step, outcome: { status, skipReason } }) =>
    stepEvent(step, status, step.attempt, { skipReason }),
  );
  try {
    await transact(table, [...changes, eventItem(table, job, reserved.first, events, at)]);
    return new Set();
  } catch (cause) {
    const busy = failedConditions(cause);
    if (busy.size === 0) throw cause;
    return busy;
  }
}
