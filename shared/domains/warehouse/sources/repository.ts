import { auditedRecords } from '../../../platform/audit/records.ts';
import { scheduleAttributes } from '../../../platform/jobs/schedule.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { StoredDataSource } from './record.ts';

export type DataSourceRepository = Collection<StoredDataSource>;

export function dataSourceRepository(table: Table): DataSourceRepository {
  return collection<StoredDataSource>(table, {
    entity: 'data-source',
    versioned: true,
    attributes: ({ id, schedule, updatedAt }) => scheduleAttributes(id, schedule, new Date(updatedAt)),
    unique: { of: (source) => source.name, taken: 'DATA_SOURCE_NAME_TAKEN' },
    logs: auditedRecords<StoredDataSource>(table, {
      subject: 'data_source',
      name: ({ name }) => name,
      members: { name: 'shown', type: 'shown', config: 'shown', schedule: 'shown', sealedSecrets: 'hidden' },
    }),
  });
}
