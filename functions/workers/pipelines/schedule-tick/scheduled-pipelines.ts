import {
  nextRunAt,
  pipelineRepository,
  SCHEDULE_SHARDS,
  type StoredPipeline,
  type WorkMessage,
  type WorkQueue,
} from '../../../../shared/domains/pipelines/index.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { Scheduled } from './announce-due.ts';

const HOUR_MS = 3_600_000;
const WIDEST_SPREAD_SECONDS = 5;

/**
 * Clocks have so many expressions for the full hour that its first second would start most of all runs: a pipeline has a
 * second of its own, of the first six. What the run is told of, its `scheduledAt` and `logicalDate`, is the hour.
 */
export function spreadSeconds(pipeline: Pick<StoredPipeline, 'id' | 'schedule'>, instant: Date): number {
  if (pipeline.schedule?.cron === undefined || instant.getTime() % HOUR_MS !== 0) return 0;
  return Number.parseInt(pipeline.id.slice(-8), 16) % (WIDEST_SPREAD_SECONDS + 1);
}

/** Pipelines, whose instants start runs. */
export function scheduledPipelines(table: Table, queue: WorkQueue): Scheduled<WorkMessage> {
  const pipelines = pipelineRepository(table);
  return {
    partitions: Array.from({ length: SCHEDULE_SHARDS }, (_, shard) => `pipeline-schedule#${shard}`),
    queue,
    async find(item) {
      const workspaceId = item.pk.split('#')[1]!;
      const pipeline = await pipelines.get(workspaceId, item.sk);
      return (
        pipeline?.schedule && {
          next: (after) => nextRunAt(pipeline, after),
          spreadSeconds: (instant) => spreadSeconds(pipeline, instant),
          message: (instant) => ({
            kind: 'fire-schedule',
            workspaceId,
            pipelineId: pipeline.id,
            scheduledAt: instant.toISOString(),
          }),
        }
      );
    },
  };
}
