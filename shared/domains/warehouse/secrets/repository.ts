import { auditedRecords } from '../../../platform/audit/records.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { StoredSecret } from './record.ts';

export type SecretRepository = Collection<StoredSecret>;

/** The secrets of a workspace by name, each stored as one item. */
export function secretRepository(table: Table): SecretRepository {
  return collection<StoredSecret>(table, {
    entity: 'secret',
    versioned: true,
    logs: auditedRecords<StoredSecret>(table, {
      subject: 'secret',
      members: { description: 'shown', sealedValue: 'hidden' },
    }),
  });
}
