import { newId } from '../../../platform/storage/ids.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { type Dataset, emptyDataset } from './record.ts';
import { datasetRepository } from './repository.ts';
import { addStorageStatsItem } from './storage-stats.ts';

/**
 * The dataset of the name. It is created without rows, so that the commit of a load changes it like any other. It is
 * not created if `origin`, the dataset whose rows it is for, has another name by now, since policies find such rows by
 * that name.
 */
export async function findOrCreateDataset(
  table: Table,
  made: Omit<Parameters<typeof emptyDataset>[0], 'id'>,
  origin?: Pick<Dataset, 'id' | 'name'>,
): Promise<Dataset> {
  const datasets = datasetRepository(table);
  const { workspaceId, name, at } = made;
  const found = await datasets.find(workspaceId, name);
  if (found) return found;
  try {
    const empty = emptyDataset({ id: newId(at), ...made });
    const isCurrent = origin ? [hasNameItem(table, workspaceId, origin)] : [];
    return await datasets.create(empty, [addStorageStatsItem(table, empty, 0, at), ...isCurrent]);
  } catch (error) {
    const other = await datasets.find(workspaceId, name);
    if (other) return other;
    throw error;
  }
}

function hasNameItem(table: Table, workspaceId: string, { id, name }: Pick<Dataset, 'id' | 'name'>): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: datasetRepository(table).key(workspaceId, id),
      ConditionExpression: '#name = :name',
      ExpressionAttributeNames: { '#name': 'name' },
      ExpressionAttributeValues: { ':name': name },
    },
  };
}
