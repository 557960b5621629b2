import { instantsBetween } from '../../../platform/schedule/schedule.ts';
import type { StoredPipeline, WorkMessage } from '../store/index.ts';
import { nextRunAt } from '../store/index.ts';

/** Longer than the interval of the tick, in case the tick is late. */
const AHEAD_MS = 75_000;

/**
 * The starts of a newly saved pipeline before the next tick, which would make up for only one missed instant. Each
 * instant starts one run, however often it is announced.
 */
export function startsBeforeNextTick(
  pipeline: StoredPipeline,
  now: Date,
): { message: WorkMessage; delaySeconds: number }[] {
  // Cron instants coincide with the tick.
  if (pipeline.schedule?.everySeconds === undefined) return [];
  const { workspaceId, id: pipelineId } = pipeline;
  const until = new Date(now.getTime() + AHEAD_MS);
  return instantsBetween((after) => nextRunAt(pipeline, after), now, until).map((instant) => ({
    message: { kind: 'fire-schedule', workspaceId, pipelineId, scheduledAt: instant.toISOString() },
    delaySeconds: (instant.getTime() - now.getTime()) / 1000,
  }));
}
