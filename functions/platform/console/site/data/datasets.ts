import { useEffect, useState } from 'preact/hooks';
import { ApiError, api, type Types } from './client.ts';
import { useQuery } from './query.ts';
import { downloadRows, MAX_ROWS, quoted } from './sql.ts';

export type Dataset = Types.DatasetView;

const MAX_MARKS = 200;

/** What others say about datasets: by their ids, and by their names for the quality. */
export interface DatasetMarks {
  certified: ReadonlySet<string>;
  deprecated: ReadonlySet<string>;
  scores: ReadonlyMap<string, Types.DataQualityTableScore>;
  stale: ReadonlySet<string>;
}

const EVERY_MS = 15_000;
const SOON_MS = 1_500;

/** Asked for more often until its first import has ended. */
export function useDataset(id: string) {
  const [everyMs, setEvery] = useState(EVERY_MS);
  const found = useQuery(['datasets', id], () => api.datasets.get(id), { everyMs });
  const isFirst = found.data?.version === 0 && found.data.source !== null && found.data.lastRefresh === null;
  useEffect(() => setEvery(isFirst ? SOON_MS : EVERY_MS), [isFirst]);
  return found;
}

/** Marks are beside the list: without the product, or when they fail, the list is shown without them. */
export const useDatasetMarks = () => useQuery(['datasets', 'marks'], readMarks, { everyMs: 60_000 });

async function readMarks(): Promise<DatasetMarks> {
  const [certified, deprecated, scores, freshness] = await Promise.all([
    optional(api.catalog.listAssets({ type: 'dataset', certified: true, limit: MAX_MARKS })),
    optional(api.catalog.listAssets({ type: 'dataset', deprecated: true, limit: MAX_MARKS })),
    optional(api.quality.listTableScores({ sort: 'score', limit: MAX_MARKS })),
    optional(api.quality.listFreshness({ limit: MAX_MARKS })),
  ]);
  const ofDatasets = <T extends { sourceId: string }>(items: readonly T[]) =>
    items.filter(({ sourceId }) => sourceId === 'datasets');
  return {
    certified: new Set(certified.map(({ id }) => id)),
    deprecated: new Set(deprecated.map(({ id }) => id)),
    scores: new Map(ofDatasets(scores).map((score) => [score.tableName, score])),
    stale: new Set(
      ofDatasets(freshness)
        .filter(({ status }) => status === 'stale')
        .map(({ tableName }) => tableName),
    ),
  };
}

async function optional<T>(page: Promise<{ items: T[] }>): Promise<T[]> {
  try {
    return (await page).items;
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

/** Saves the rows that the person may see as a file. */
export const downloadDataset = ({ id, name }: Dataset, format: 'csv' | 'parquet'): Promise<void> =>
  downloadRows({ sql: `SELECT * FROM ${quoted(name)}`, datasetIds: [id], limit: MAX_ROWS }, format, name);
