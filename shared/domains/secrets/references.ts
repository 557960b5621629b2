import { references } from '../../platform/storage/references.ts';
import type { Table } from '../../platform/storage/table.ts';
import { secretRepository } from './repository.ts';

/** What refers to secrets. */
export const secretReferences = (table: Table) => references(table, 'SECRET', secretRepository(table).key);
