import type { Table } from '../../../platform/storage/table.ts';
import type { Dataset } from './record.ts';
import { datasetRepository } from './repository.ts';

const AT_ONCE = 200;

/** Every dataset of a workspace. None is skipped if others are deleted during the listing. */
export async function listAllDatasets(table: Table, workspaceId: string): Promise<Dataset[]> {
  const datasets = datasetRepository(table);
  const all: Dataset[] = [];
  let after: string | undefined;
  do {
    const page = await datasets.listAfter(workspaceId, { limit: AT_ONCE, after });
    all.push(...page.items);
    after = page.last;
  } while (after !== undefined);
  return all;
}
