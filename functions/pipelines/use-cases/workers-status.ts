import type { PipelineRepository } from '../repository.ts';
import type { WorkersStatus } from '../schemas.ts';

/** A queue that does not move for so long is a sign that something is wrong. */
const DEGRADED_AFTER_SECONDS = 300;

export async function workersStatus(
  deps: { pipelines: PipelineRepository; now(): Date; planeFault(): Promise<string | null> },
  query: { workspaceId: string },
): Promise<WorkersStatus> {
  const [fault, queued] = await Promise.all([deps.planeFault(), deps.pipelines.queuedRuns(query.workspaceId)]);
  const now = deps.now();
  const oldest = queued.oldestSince
    ? Math.max(0, Math.floor((now.getTime() - Date.parse(queued.oldestSince)) / 1000))
    : null;
  const slow = oldest !== null && oldest > DEGRADED_AFTER_SECONDS;
  return {
    state: fault ? 'unavailable' : slow ? 'degraded' : 'available',
    reason: fault ?? (slow ? 'Runs have been waiting for more than five minutes.' : null),
    queuedRuns: queued.count,
    oldestQueuedSeconds: oldest,
    checkedAt: now.toISOString(),
  };
}
