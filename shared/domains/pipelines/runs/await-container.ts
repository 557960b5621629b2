import type { StepJob } from '../store/launcher.ts';
import type { RunContext } from '../store/run-store.ts';
import { holdSlot } from '../store/step-slots.ts';
import { noteIdle } from './idle-step.ts';

/** A container is placed, its image is fetched and its program begins within this time, or else somebody looks after the step. */
const CONTAINER_BEGINS_MS = 5 * 60 * 1000;

/** A container is to be started for a step: its slot is held and nobody else starts it until the container has begun. */
export async function awaitContainer(context: RunContext, job: StepJob, execution: string): Promise<void> {
  const { workspaceId, runId } = job;
  const now = context.now();
  await holdSlot(context.table, { workspaceId, runId, execution }, now, CONTAINER_BEGINS_MS);
  await noteIdle(context, job, { expectedAt: new Date(now.getTime() + CONTAINER_BEGINS_MS).toISOString() });
}
