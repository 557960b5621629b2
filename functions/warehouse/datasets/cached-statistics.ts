import { type Dataset, datasetPrefix } from '../../../shared/domains/warehouse/datasets/index.ts';
import type { ObjectStore } from '../../../shared/platform/objects/object-store.ts';
import type { DatasetStatistics } from './schemas.ts';

/**
 * Stores the statistics of a version as an object beside its files. The clean-up removes it after a day; the statistics
 * can be computed again.
 */
export function cachedStatistics(objects: ObjectStore) {
  return async (
    { workspaceId, id, version }: Dataset,
    work: () => Promise<DatasetStatistics>,
  ): Promise<DatasetStatistics> => {
    const key = `${datasetPrefix(workspaceId, id)}statistics/${version}.json`;
    if (await objects.find(key)) return JSON.parse((await objects.read(key)).toString('utf8')) as DatasetStatistics;
    const statistics = await work();
    await objects.write(key, Buffer.from(JSON.stringify(statistics)), 'application/json');
    return statistics;
  };
}
