import { auditedRecords } from '../../../../platform/audit/records.ts';
import { type Collection, collection } from '../../../../platform/storage/collection.ts';
import type { Table } from '../../../../platform/storage/table.ts';
import { type CertifiedRef, guardingCertification } from '../../../tenancy/certifications/index.ts';
import type { ModelRecord } from '../definition/records.ts';
import type { AuditedParts } from './audited-parts.ts';

export type ModelRepository = Collection<ModelRecord>;

/**
 * The records of models, without their parts. Every edit of a part replaces the record, whose `updatedAt` orders them;
 * the audit log shows the `parts` that the edit changes, and certifications of the parts in `meant` end.
 */
export const modelRepository = (
  table: Table,
  parts?: AuditedParts,
  meant: readonly CertifiedRef[] = [],
): ModelRepository =>
  collection<ModelRecord>(table, {
    entity: 'model',
    logs: guardingCertification<ModelRecord>(
      table,
      {
        type: 'model',
        meaning: ({ sourceId, calendar = null, parameters = [] }) => [sourceId, calendar, parameters],
        parts: meant,
      },
      auditedRecords<ModelRecord>(table, {
        subject: 'model',
        name: ({ name }) => name,
        members: {
          name: 'shown',
          description: 'shown',
          sourceId: 'shown',
          calendar: 'shown',
          parameters: 'shown',
          latestVersion: 'shown',
          tableCount: 'shown',
        },
        ...(parts ? { parts } : {}),
      }),
    ),
    unique: { of: ({ name }) => name, taken: 'MODEL_NAME_TAKEN' },
  });
