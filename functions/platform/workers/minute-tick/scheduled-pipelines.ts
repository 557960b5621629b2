import {
  nextRunAt,
  pipelineRepository,
  SCHEDULE_SHARDS,
  type StoredPipeline,
  type WorkMessage,
  type WorkQueue,
} from '../../../../shared/domains/pipelines/store/index.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { Scheduled } from './announce-due.ts';

const HOUR_MS = 3_600_000;
const WIDEST_SPREAD_SECONDS = 5;

/**
 * Most schedules start at the full hour, so each pipeline gets one of the first six seconds. `scheduledAt` and
 * `logicalDate` of the run are still the full hour.
 */
export function spreadSeconds(pipeline: Pick<StoredPipeline, 'id' | 'schedule'>, instant: Date): number {
  if (pipeline.schedule?.cron === undefined || instant.getTime() % HOUR_MS !== 0) return 0;
  return Number.parseInt(pipeline.id.slice(-8), 16) % (WIDEST_SPREAD_SECONDS + 1);
}

/** Pipelines, whose schedules start runs. */
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
