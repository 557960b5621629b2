import { nextRunAt, pipelineRepository } from '../../../shared/pipelines/pipeline-store.ts';
import { SCHEDULE_SHARDS } from '../../../shared/pipelines/run-keys.ts';
import type { WorkMessage, WorkQueue } from '../../../shared/pipelines/work-queue.ts';
import type { Table } from '../../../shared/storage/table.ts';
import type { Scheduled } from './announce-due.ts';

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
