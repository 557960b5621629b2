import { failedConditions } from '../storage/collection.ts';
import { transact } from '../storage/transact.ts';
import { updateOf } from '../storage/update.ts';
import { announceNoWorker } from './compute-events.ts';
import type { StepJob } from './launcher.ts';
import type { StoredRun, StoredStep } from './records.ts';
import { stepKey } from './run-keys.ts';
import { CARE_AFTER_MS, type RunContext } from './run-store.ts';
import { holdSlot } from './step-slots.ts';

/** A container is placed, its image is fetched and its program begins within this time, or else somebody looks after the step. */
const CONTAINER_BEGINS_MS = 5 * 60 * 1000;

/** A container is to be started for a step: its slot is held and nobody else starts it until the container has begun. */
export async function awaitContainer(context: RunContext, job: StepJob, execution: string): Promise<void> {
  const { workspaceId, runId } = job;
  await holdSlot(context.table, { workspaceId, runId, execution }, context.now(), CONTAINER_BEGINS_MS);
  await noteIdle(context, job, { engine: 'container' });
}

/** No container could be started for a step: tells so, once an hour, and that it has been so since the first time. */
export async function announceNoContainer(context: RunContext, run: StoredRun, step: StoredStep): Promise<void> {
  const failingSince = step.noContainerSince ?? context.now().toISOString();
  if (!step.noContainerSince) {
    await noteIdle(context, { ...step, runId: run.id }, { noContainerSince: failingSince });
  }
  await announceNoWorker(context, run, {
    size: 'container',
    error: { code: 'WORKER_UNAVAILABLE', message: 'No container can be started for a step.' },
    failingSince,
  });
}

/** Notes something at a step that has not begun; one that has needs it no more. */
async function noteIdle(context: RunContext, job: StepJob, set: Record<string, string>): Promise<void> {
  const noted = updateOf(
    context.table,
    stepKey(job.workspaceId, job.runId, job.index),
    { set },
    { equals: { epoch: job.epoch }, oneOf: { status: ['ready', 'waiting'] } },
  );
  try {
    await transact(context.table, [{ Update: noted }]);
  } catch (cause) {
    if (!failedConditions(cause).has(0)) throw cause;
  }
}

/** For how long a step that may begin is left to whoever has started its execution. */
export function patienceFor({ engine }: Pick<StoredStep, 'engine'>): number {
  return engine === 'container' ? CONTAINER_BEGINS_MS : CARE_AFTER_MS;
}
