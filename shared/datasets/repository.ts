import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Collection, collection, toRecord } from '../storage/collection.ts';
import { type Key, workspaceKey } from '../storage/keys.ts';
import type { Table } from '../storage/table.ts';
import type { Dataset, Manifest } from './record.ts';

export type DatasetRepository = Collection<Dataset>;

export function datasetRepository(table: Table): DatasetRepository {
  return collection<Dataset>(table, {
    entity: 'dataset',
    unique: { of: (dataset) => dataset.name, taken: 'DATASET_NAME_TAKEN' },
  });
}

/** Versions sort by their number. */
export function manifestKey(workspaceId: string, datasetId: string, version: number): Key {
  return workspaceKey(workspaceId, `DATASET#${datasetId}`, `V#${String(version).padStart(8, '0')}`);
}

/** What the dataset consists of, undefined while it is empty (version 0). */
export async function readManifest(
  table: Table,
  dataset: Pick<Dataset, 'workspaceId' | 'id' | 'version'>,
): Promise<Manifest | undefined> {
  const found = await table.db.send(
    new GetCommand({
      TableName: table.name,
      Key: manifestKey(dataset.workspaceId, dataset.id, dataset.version),
      // A pointer that is newer than the manifest in reach would make the dataset look empty.
      ConsistentRead: true,
    }),
  );
  return found.Item && toRecord<Manifest>(found.Item);
}
