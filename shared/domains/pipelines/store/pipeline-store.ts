import { auditedRecords } from '../../../platform/audit/records.ts';
import { nextInstant } from '../../../platform/schedule/schedule.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { guardingCertification } from '../../tenancy/certifications/index.ts';
import type { StoredPipeline } from './pipeline-record.ts';
import { scheduleShard } from './run-keys.ts';

/** Active pipelines with a schedule are in the due index at their next instant. */
export function pipelineRepository(table: Table): Collection<StoredPipeline> {
  return collection<StoredPipeline>(table, {
    entity: 'pipeline',
    versioned: true,
    unique: { of: (pipeline) => pipeline.name, taken: 'PIPELINE_NAME_TAKEN' },
    logs: guardingCertification<StoredPipeline>(
      table,
      { type: 'pipeline', meaning: ({ dagHash }) => dagHash },
      auditedRecords<StoredPipeline>(table, {
        subject: 'pipeline',
        name: ({ name }) => name,
        members: {
          name: 'shown',
          status: 'shown',
          dagVersion: 'shown',
          dagHash: 'shown',
          schedule: 'shown',
          concurrency: 'shown',
          compute: 'shown',
          failureMail: ({ userIds }) => userIds,
          webhookToken: ({ generation, createdAt }) => ({ generation, createdAt }),
        },
      }),
    ),
    attributes: (pipeline) => {
      const next = nextRunAt(pipeline, new Date(pipeline.updatedAt));
      return next ? { due: scheduleShard(pipeline.id), dueAt: next.toISOString() } : {};
    },
  });
}

/** The next start of the schedule; undefined while the pipeline is paused or has no schedule. */
export function nextRunAt(pipeline: Pick<StoredPipeline, 'status' | 'schedule'>, after: Date): Date | undefined {
  return pipeline.status === 'active' ? nextInstant(pipeline.schedule, after) : undefined;
}
