import { references } from '../../platform/storage/references.ts';
import type { Table } from '../../platform/storage/table.ts';
import { datasetRepository } from './repository.ts';

/** What refers to datasets by a statement that reads them: saved queries. */
export const datasetReferences = (table: Table) => references(table, 'DATASET', datasetRepository(table).key);
