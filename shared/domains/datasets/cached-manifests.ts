import { LatestEntries } from '../../platform/storage/latest-entries.ts';
import type { Dataset, Manifest } from './record.ts';

type ReadManifest = (dataset: Dataset) => Promise<Manifest | undefined>;

/** Of all remembered manifests together: each file comes with the bounds of its columns. */
const MOST_FILES = 10_000;

/**
 * Reads the manifest of a version once in the life of a function instance: it is never changed, and a version to which a dataset
 * points has not expired.
 */
export function rememberedManifests(read: ReadManifest): ReadManifest {
  const known = new LatestEntries<Manifest>(MOST_FILES, ({ files }) => files.length + 1);
  return async (dataset) => {
    const version = `${dataset.workspaceId}#${dataset.id}#${dataset.version}`;
    const remembered = known.get(version);
    if (remembered) return remembered;
    const manifest = await read(dataset);
    if (manifest) known.set(version, manifest);
    return manifest;
  };
}
