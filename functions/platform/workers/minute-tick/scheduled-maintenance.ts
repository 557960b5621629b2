import { MAINTENANCE_SHARDS, maintenanceShard } from '../../../../shared/domains/pipelines/cdc/index.ts';
import type { JobMessage, JobQueue } from '../../../../shared/platform/jobs/queue.ts';
import type { Scheduled } from './announce-due.ts';

const EVERY_MS = 10 * 60 * 1000;

/** Maintenance of the stored batches of CDC streams, also after a stream was deleted. */
export function scheduledMaintenance(queue: JobQueue): Scheduled<JobMessage> {
  return {
    partitions: Array.from({ length: MAINTENANCE_SHARDS }, (_, shard) => maintenanceShard(shard)),
    queue,
    async find({ pk }) {
      const [, workspaceId, , id] = pk.split('#');
      return {
        next: (after) => new Date((Math.floor(after.getTime() / EVERY_MS) + 1) * EVERY_MS),
        message: () => ({ op: 'maintain-stream', workspaceId: workspaceId!, streamId: id! }),
      };
    },
  };
}
