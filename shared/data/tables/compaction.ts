import type { DataFile } from './data-file.ts';

/** Files smaller than this are worth combining. */
export const SMALL_FILE_BYTES = 16 * 1024 * 1024;

/** Once a partition has this many small files, the next load combines them. */
export const MAX_SMALL_FILES = 32;

const MAX_COMPACTED_BYTES = 256 * 1024 * 1024;

/**
 * The groups of small files to combine into one file each. If every append added a file, a dataset of a thousand
 * appends would take a thousand requests to read. Each row is rewritten at most once per 32 appends.
 */
export function filesToCompact(files: readonly DataFile[]): DataFile[][] {
  const groups = new Map<string, DataFile[]>();
  for (const file of files.filter(({ sizeBytes }) => sizeBytes < SMALL_FILE_BYTES)) {
    const partition = JSON.stringify(file.partition ?? null);
    groups.set(partition, [...(groups.get(partition) ?? []), file]);
  }
  return [...groups.values()].filter((group) => group.length > MAX_SMALL_FILES).map(smallest);
}

/** As many files as should be combined into one, the smallest first. */
function smallest(group: DataFile[]): DataFile[] {
  let bytes = 0;
  return group
    .toSorted((one, other) => one.sizeBytes - other.sizeBytes)
    .filter(({ sizeBytes }) => {
      bytes += sizeBytes;
      return bytes <= MAX_COMPACTED_BYTES;
    });
}
