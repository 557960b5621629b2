import type { RunContext, StepJob } from '../store/index.ts';
import { holdSlot } from '../store/index.ts';
import { noteIdle } from './idle-step.ts';

/** The time for placing a container and fetching its image; later the step counts as a lost start. */
const CONTAINER_BEGINS_MS = 5 * 60 * 1000;

/** Holds the slot of a step and prevents other starts until its container has begun. */
export async function awaitContainer(context: RunContext, job: StepJob, execution: string): Promise<void> {
  const { workspaceId, runId } = job;
  const now = context.now();
  await holdSlot(context.table, { workspaceId, runId, execution }, now, CONTAINER_BEGINS_MS);
  await noteIdle(context, job, { expectedAt: new Date(now.getTime() + CONTAINER_BEGINS_MS).toISOString() });
}
