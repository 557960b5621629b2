import { references } from '../../../platform/storage/references.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { datasetRepository } from './repository.ts';

/** The referrers of datasets: saved queries whose statements read them. */
export const datasetReferences = (table: Table) => references(table, 'DATASET', datasetRepository(table).key);
