import { expect, it } from 'vitest';
import { withLastRefreshes } from '../../../../functions/warehouse/datasets/use-cases/with-last-refreshes.ts';
import { type Dataset, emptyDataset, type LastRefresh } from '../../../../shared/domains/warehouse/datasets/index.ts';

const at = new Date('2026-01-01T00:00:00Z');
const empty = emptyDataset({ id: 'd', workspaceId: 'w', name: 'orders', createdBy: null, at });
const loaded: Dataset = { ...empty, version: 1, columns: [{ name: 'a', type: 'integer' }], rowCount: 3 };
const succeeded: LastRefresh = { status: 'succeeded', at: at.toISOString(), error: null, jobId: 'j', version: 1 };

const shownTo = async (_dataset: Dataset, last: LastRefresh) => last;
const shown = (read: Dataset, last: LastRefresh) =>
  withLastRefreshes(
    { shownTo, datasets: { get: async () => loaded }, lastRefreshes: async () => new Map([['d', last]]) },
    'w',
    [read],
  );

it('never shows a refresh that has succeeded beside the content from before it', async () => {
  expect(await shown(empty, succeeded)).toEqual([{ ...loaded, lastRefresh: succeeded }]);
  const newer = { ...loaded, version: 2 };
  expect(await shown(newer, succeeded)).toEqual([{ ...newer, lastRefresh: succeeded }]);
  expect(await shown(empty, { ...succeeded, status: 'failed', version: undefined as never })).toMatchObject([
    { version: 0 },
  ]);
});

it('shows a dataset that is deleted meanwhile as it was read', async () => {
  const [dataset] = await withLastRefreshes(
    { shownTo, datasets: { get: async () => undefined }, lastRefreshes: async () => new Map([['d', succeeded]]) },
    'w',
    [empty],
  );
  expect(dataset).toEqual({ ...empty, lastRefresh: succeeded });
});
