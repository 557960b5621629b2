import { LatestEntries } from '../../../platform/storage/latest-entries.ts';
import type { Dataset, Manifest } from './record.ts';

type ReadManifest = (dataset: Dataset) => Promise<Manifest | undefined>;

/** The limit over all cached manifests. Each file carries the bounds of its columns. */
const MAX_FILES = 10_000;

/**
 * Caches manifests for the life of a function instance. A manifest never changes, and the current version of a dataset
 * does not expire.
 */
export function cachedManifests(read: ReadManifest): ReadManifest {
  const known = new LatestEntries<Manifest>(MAX_FILES, ({ files }) => files.length + 1);
  return async (dataset) => {
    const version = `${dataset.workspaceId}#${dataset.id}#${dataset.version}`;
    const cached = known.get(version);
    if (cached) return cached;
    const manifest = await read(dataset);
    if (manifest) known.set(version, manifest);
    return manifest;
  };
}
