import { references } from '../../../platform/storage/references.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { secretRepository } from './repository.ts';

/** The referrers of secrets. */
export const secretReferences = (table: Table) => references(table, 'SECRET', secretRepository(table).key);
