import type { DatasetColumn } from '../datasets/record.ts';

/** The formats in which loads write files. */
export const TARGET_FORMATS = ['csv', 'ndjson', 'json', 'parquet'] as const;
export type TargetFormat = (typeof TARGET_FORMATS)[number];

/** The file of a folder that tells what the folder holds. Names that begin so are passed over by those who list folders. */
export const MANIFEST = '_manifest.json';

/** So many loads are known again when they are repeated. */
const MOST_LOADS = 1000;

/** A file of a folder; the path is below it. */
export interface TargetFile {
  path: string;
  rows: number;
  /** Values as text by column; null for rows without one. */
  partition?: Record<string, string | null>;
}

export interface DoneLoad {
  load: string;
  rows: number;
  bytes: number;
}

/** What a folder holds. Files that it does not name do not count: they belong to loads that are not done, or not any more. */
export interface FolderManifest {
  version: number;
  format: TargetFormat;
  partitionBy: string[];
  columns: DatasetColumn[];
  files: TargetFile[];
  /** The newest loads, the last one at the end. */
  loads: DoneLoad[];
}

export interface FolderLoad {
  done: DoneLoad;
  format: TargetFormat;
  partitionBy: readonly string[];
  columns: readonly DatasetColumn[];
  files: readonly TargetFile[];
  replaces: 'nothing' | 'table' | 'partition';
}

/** The manifest after a load, and the files that it names no more. */
export function nextManifest(
  current: FolderManifest | undefined,
  { done, format, partitionBy, columns, files, replaces }: FolderLoad,
): { next: FolderManifest; gone: string[] } {
  const own = new Set(files.map(({ path }) => path));
  const parts = new Set(files.map(partOf));
  const stays = (file: TargetFile) => replaces === 'nothing' || (replaces === 'partition' && !parts.has(partOf(file)));
  const before = (current?.files ?? []).filter(({ path }) => !own.has(path));
  const kept = before.filter(stays);
  return {
    next: {
      version: (current?.version ?? 0) + 1,
      format,
      partitionBy: [...partitionBy],
      columns: [...columns],
      files: [...kept, ...files],
      loads: [...(current?.loads ?? []), done].slice(-MOST_LOADS),
    },
    gone: before.filter((file) => !kept.includes(file)).map(({ path }) => path),
  };
}

const partOf = ({ partition = {} }: TargetFile) => JSON.stringify(Object.entries(partition).sort());
