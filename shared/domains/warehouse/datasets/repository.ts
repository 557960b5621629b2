import { auditedRecords } from '../../../platform/audit/records.ts';
import { scheduleAttributes } from '../../../platform/jobs/schedule.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { guardingCertification } from '../../tenancy/certifications/index.ts';
import type { Dataset } from './record.ts';

export type DatasetRepository = Collection<Dataset>;

/** The name under which the loads of a dataset take turns. */
export const turnsOfDataset = (datasetId: string): string => `dataset#${datasetId}`;

export function datasetRepository(table: Table): DatasetRepository {
  return collection<Dataset>(table, {
    entity: 'dataset',
    versioned: true,
    attributes: ({ id, schedule, updatedAt }) => scheduleAttributes(id, schedule, new Date(updatedAt)),
    unique: { of: (dataset) => dataset.name, taken: 'DATASET_NAME_TAKEN' },
    logs: guardingCertification<Dataset>(
      table,
      { type: 'dataset', meaning: ({ source, mode, incremental }) => [source, mode, incremental] },
      auditedRecords<Dataset>(table, {
        subject: 'dataset',
        name: ({ name }) => name,
        members: {
          name: 'shown',
          source: 'shown',
          mode: 'shown',
          incremental: 'shown',
          schedule: 'shown',
          partitionBy: 'shown',
          retention: 'shown',
        },
      }),
    ),
  });
}
