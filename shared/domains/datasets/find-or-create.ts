import { newId } from '../../platform/storage/ids.ts';
import type { Table } from '../../platform/storage/table.ts';
import { type Dataset, emptyDataset } from './record.ts';
import { datasetRepository } from './repository.ts';
import { addStorageStatsItem } from './storage-stats.ts';

/** The dataset of the name. It is created without rows, so that the commit of a load changes it like any other. */
export async function findOrCreateDataset(
  table: Table,
  made: Omit<Parameters<typeof emptyDataset>[0], 'id'>,
): Promise<Dataset> {
  const datasets = datasetRepository(table);
  const { workspaceId, name, at } = made;
  const found = await datasets.find(workspaceId, name);
  if (found) return found;
  try {
    const empty = emptyDataset({ id: newId(at), ...made });
    return await datasets.create(empty, [addStorageStatsItem(table, empty, 0, at)]);
  } catch (error) {
    const other = await datasets.find(workspaceId, name);
    if (other) return other;
    throw error;
  }
}
