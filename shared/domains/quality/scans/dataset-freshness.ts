import type { Table } from '../../../platform/storage/table.ts';
import { type Dataset, listVersions } from '../../warehouse/datasets/index.ts';
import { type Freshness, freshnessOf } from './freshness.ts';

/**
 * Whether a dataset was loaded when it should have been. Without a schedule it is measured by the rhythm of the
 * versions that are kept.
 */
export async function datasetFreshness(table: Table, dataset: Dataset, now: Date): Promise<Freshness> {
  const { workspaceId, id, loadedAt: lastLoadedAt, schedule } = dataset;
  const loads =
    schedule === null && lastLoadedAt !== null
      ? (await listVersions(table, workspaceId, id)).map(({ createdAt }) => createdAt).reverse()
      : [];
  return freshnessOf({ lastLoadedAt, schedule, loads }, now);
}
