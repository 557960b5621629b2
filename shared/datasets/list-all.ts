import type { Table } from '../storage/table.ts';
import type { Dataset } from './record.ts';
import { datasetRepository } from './repository.ts';

const AT_ONCE = 200;

/** Every dataset of a workspace. */
export async function listAllDatasets(table: Table, workspaceId: string): Promise<Dataset[]> {
  const datasets = datasetRepository(table);
  const all: Dataset[] = [];
  for (let offset = 0; ; offset += AT_ONCE) {
    const page = await datasets.list(workspaceId, { limit: AT_ONCE, offset });
    all.push(...page.items);
    if (offset + AT_ONCE >= page.total) return all;
  }
}
