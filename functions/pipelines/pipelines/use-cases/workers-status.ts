import type { PipelineRepository } from '../repository.ts';
import type { WorkersStatus } from '../schemas.ts';

/** A queue that has not moved for this long points to a problem. */
const DEGRADED_AFTER_SECONDS = 300;

export async function workersStatus(
  deps: { pipelines: PipelineRepository; now(): Date; executionIssue(): Promise<string | null> },
  query: { workspaceId: string },
): Promise<WorkersStatus> {
  const [issue, queued] = await Promise.all([deps.executionIssue(), deps.pipelines.queuedRuns(query.workspaceId)]);
  const now = deps.now();
  const oldest = queued.oldestSince
    ? Math.max(0, Math.floor((now.getTime() - Date.parse(queued.oldestSince)) / 1000))
    : null;
  const slow = oldest !== null && oldest > DEGRADED_AFTER_SECONDS;
  return {
    state: issue ? 'unavailable' : slow ? 'degraded' : 'available',
    reason: issue ?? (slow ? 'Runs have been waiting for more than five minutes.' : null),
    queuedRuns: queued.count,
    oldestQueuedSeconds: oldest,
    checkedAt: now.toISOString(),
  };
}
