import {
  claimDueBatch,
  dropFileBatches,
  fileTriggerOf,
  type Place,
  pipelineRepository,
  postponeFileBatch,
  type RunContext,
  readFileBatches,
} from '../../../../shared/domains/pipelines/index.ts';
import { failedConditions } from '../../../../shared/platform/storage/collection.ts';
import { startByTrigger } from './start-by-trigger.ts';

/** Reasons that pass soon by themselves. */
const TEMPORARY = ['RUN_OVERLAP', 'QUEUE_FULL', 'RATE_LIMITED'];
const SOON_MS = 60_000;
/** A paused pipeline or an exhausted allowance needs an action of the user first. */
const LATER_MS = 5 * 60_000;

/**
 * Starts the run of a due file batch. Checks again if files join in between. While no run can start, the batch waits
 * and takes further files.
 */
export async function startOnFiles(context: RunContext, place: Place): Promise<void> {
  const { table } = context;
  for (;;) {
    const batches = await readFileBatches(table, place);
    if (!batches) return;
    const pipeline = await pipelineRepository(table).get(place.workspaceId, place.pipelineId);
    const trigger = pipeline && fileTriggerOf(await context.dags.get(place.workspaceId, pipeline.dagHash));
    if (!trigger) return dropFileBatches(table, place);
    const { quietSeconds = 60, minFiles = 1 } = trigger;
    const claim = claimDueBatch(table, place, batches, { quietSeconds, minFiles }, context.now());
    if (!claim) return;
    const { batch, acquire, release } = claim;
    try {
      const { reason } = await startByTrigger(context, {
        ...place,
        kind: 'file_arrival',
        occasion: `files#${batch.id}`,
        at: batch.openedAt,
        input: { fileBatch: { pipelineId: place.pipelineId, id: batch.id } },
        claim: { acquire, release },
      });
      if (!reason) continue;
      const waitMs = TEMPORARY.includes(reason) ? SOON_MS : LATER_MS;
      return await postponeFileBatch(table, place, batches, new Date(context.now().getTime() + waitMs));
    } catch (cause) {
      if (failedConditions(cause).size === 0) throw cause;
    }
  }
}
