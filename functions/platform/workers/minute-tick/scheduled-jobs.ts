import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { JobMessage, JobQueue } from '../../../../shared/platform/jobs/queue.ts';
import { JOB_SCHEDULE_SHARDS, SCHEDULED_KINDS } from '../../../../shared/platform/jobs/schedule.ts';
import { nextInstant, type Schedule } from '../../../../shared/platform/schedule/schedule.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { Scheduled } from './announce-due.ts';

/** Datasets, data sources, and tests and scans of data quality, whose schedules start jobs. */
export function scheduledJobs(table: Table, queue: JobQueue): Scheduled<JobMessage> {
  return {
    partitions: Array.from({ length: JOB_SCHEDULE_SHARDS }, (_, shard) => `job-schedule#${shard}`),
    queue,
    async find({ pk, sk }) {
      const [, workspaceId, area] = pk.split('#');
      const scheduled = SCHEDULED_KINDS[area!];
      if (!scheduled) throw new Error(`${area} has no scheduled jobs`);
      const found = await table.db.send(
        new GetCommand({ TableName: table.name, Key: { pk, sk }, ConsistentRead: true }),
      );
      const schedule = found.Item?.schedule as Schedule | null | undefined;
      return (
        schedule && {
          next: (after) => nextInstant(schedule, after),
          message: (instant) => ({
            op: 'due',
            workspaceId: workspaceId!,
            kind: scheduled.kind,
            subjectId: String(found.Item?.[scheduled.subject]),
            scheduledAt: instant.toISOString(),
          }),
        }
      );
    },
  };
}
