import { instantsBetween } from '../../../platform/schedule/schedule.ts';
import { nextRunAt } from '../store/pipeline-store.ts';
import type { StoredPipeline } from '../store/records.ts';
import type { WorkMessage } from '../store/work-queue.ts';

/** Until the next minute tick, though it is late. */
const AHEAD_MS = 75_000;

/**
 * The starts that a pipeline which was just saved has planned before the minute tick looks at it: of the instants that lie
 * behind it the tick makes up for one alone. Each starts one run, however often it is announced.
 */
export function soonStarts(pipeline: StoredPipeline, now: Date): { message: WorkMessage; delaySeconds: number }[] {
  // What a clock starts begins with a minute, and so does the tick.
  if (pipeline.schedule?.everySeconds === undefined) return [];
  const { workspaceId, id: pipelineId } = pipeline;
  const until = new Date(now.getTime() + AHEAD_MS);
  return instantsBetween((after) => nextRunAt(pipeline, after), now, until).map((instant) => ({
    message: { kind: 'fire-schedule', workspaceId, pipelineId, scheduledAt: instant.toISOString() },
    delaySeconds: (instant.getTime() - now.getTime()) / 1000,
  }));
}
