import type { DataFile } from './data-file.ts';

/** Files below this are worth joining. */
export const SMALL_FILE_BYTES = 16 * 1024 * 1024;

/** So many small files in one partition are joined by the next load. */
export const MAX_SMALL_FILES = 32;

const MAX_COMPACTED_BYTES = 256 * 1024 * 1024;

/**
 * The groups of small files that are to become one file each: with every append bringing a file, a dataset of a thousand
 * appends would otherwise be a thousand requests to read. Each row is rewritten once per 32 appends at most.
 */
export function filesToCompact(files: readonly DataFile[]): DataFile[][] {
  const groups = new Map<string, DataFile[]>();
  for (const file of files.filter(({ sizeBytes }) => sizeBytes < SMALL_FILE_BYTES)) {
    const partition = JSON.stringify(file.partition ?? null);
    groups.set(partition, [...(groups.get(partition) ?? []), file]);
  }
  return [...groups.values()].filter((group) => group.length > MAX_SMALL_FILES).map(smallest);
}

/** As many as one file should hold, the smallest first. */
function smallest(group: DataFile[]): DataFile[] {
  let bytes = 0;
  return group
    .toSorted((one, other) => one.sizeBytes - other.sizeBytes)
    .filter(({ sizeBytes }) => {
      bytes += sizeBytes;
      return bytes <= MAX_COMPACTED_BYTES;
    });
}
