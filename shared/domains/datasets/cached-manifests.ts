import { LatestEntries } from '../../platform/storage/latest-entries.ts';
import type { Dataset, Manifest } from './record.ts';

type ReadManifest = (dataset: Dataset) => Promise<Manifest | undefined>;

/** Of all cached manifests together: each file comes with the bounds of its columns. */
const MAX_FILES = 10_000;

/**
 * Reads the manifest of a version once in the life of a function instance: it is never changed, and a version to which a dataset
 * points has not expired.
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
