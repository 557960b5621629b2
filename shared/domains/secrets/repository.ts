import { type Collection, collection } from '../../platform/storage/collection.ts';
import type { Table } from '../../platform/storage/table.ts';
import type { StoredSecret } from './record.ts';

export type SecretRepository = Collection<StoredSecret>;

/** The secrets that a workspace keeps, by name: each is one item, found by its key. */
export function secretRepository(table: Table): SecretRepository {
  return collection<StoredSecret>(table, { entity: 'secret', versioned: true });
}
