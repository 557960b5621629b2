import { expect, it } from 'vitest';
import { cachedManifests } from '../../../../shared/domains/warehouse/datasets/cached-manifests.ts';
import { type Dataset, emptyDataset, type Manifest } from '../../../../shared/domains/warehouse/datasets/record.ts';

const at = new Date('2026-01-01T00:00:00Z');
const dataset = (id: string, version: number): Dataset => ({
  ...emptyDataset({ id, workspaceId: 'w', name: id, createdBy: null, at }),
  version,
});

it('reads the manifest of each version once, and caches no missing one', async () => {
  const reads: string[] = [];
  const manifest = cachedManifests(async ({ id, version }) => {
    reads.push(`${id}/${version}`);
    if (version === 0) return undefined;
    const files = Array.from({ length: id === 'large' ? 9_999 : 10 }, (_, i) => ({
      key: `${i}`,
      sizeBytes: 1,
      rows: 1,
    }));
    return { datasetId: id, version, files } as unknown as Manifest;
  });
  for (const version of [0, 0, 1, 1, 2, 1]) await manifest(dataset('a', version));
  expect(reads.splice(0)).toEqual(['a/0', 'a/0', 'a/1', 'a/2']);
  expect((await manifest(dataset('a', 2)))?.version).toBe(2);
  // Together they have more files than are cached: what was read first goes.
  await manifest(dataset('large', 1));
  await manifest(dataset('large', 1));
  await manifest(dataset('a', 1));
  expect(reads).toEqual(['large/1', 'a/1']);
});
