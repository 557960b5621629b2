import type { Dataset, DatasetRepository, LastRefresh } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { DatasetView } from '../schemas.ts';

interface Deps {
  datasets: Pick<DatasetRepository, 'get'>;
  /** The result as the caller may see it. */
  shownTo(dataset: Dataset, last: LastRefresh): Promise<LastRefresh>;
  lastRefreshes(workspaceId: string, ids: readonly string[]): Promise<Map<string, LastRefresh>>;
}

/**
 * Adds the result of each dataset's last refresh, which is read after the dataset. If a refresh has ended in between,
 * the dataset is read again, so that a success is never shown with the content from before it.
 */
export async function withLastRefreshes(
  deps: Deps,
  workspaceId: string,
  datasets: readonly Dataset[],
): Promise<DatasetView[]> {
  const last = await deps.lastRefreshes(
    workspaceId,
    datasets.map(({ id }) => id),
  );
  return Promise.all(
    datasets.map(async (dataset) => {
      const found = last.get(dataset.id) ?? null;
      const lastRefresh = found && (await deps.shownTo(dataset, found));
      const isOlder = (lastRefresh?.version ?? 0) > dataset.version;
      const current = isOlder ? await deps.datasets.get(workspaceId, dataset.id) : dataset;
      return { ...(current ?? dataset), lastRefresh };
    }),
  );
}
