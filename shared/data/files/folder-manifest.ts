import type { Static } from 'typebox';
import * as Type from 'typebox';
import { DataError } from '../../platform/errors/data-error.ts';
import { StringEnum } from '../../platform/http/schemas.ts';
import { hasShape } from '../../platform/validation/shape-issues.ts';
import { DatasetColumn } from '../tables/data-file.ts';
import { SchemaChange } from '../tables/schema-change.ts';
import { TARGET_FORMATS, type TargetFormat } from './formats.ts';

/** The file that lists the contents of a folder. Readers of folders ignore names that begin with an underscore. */
export const MANIFEST = '_manifest.json';

/** Repeated loads are recognized among this many. */
const MAX_LOADS = 1000;

/** A file of a folder. The path is relative to the folder. */
const TargetFile = Type.Object({
  path: Type.String({ minLength: 1 }),
  rows: Type.Integer({ minimum: 0 }),
  /** Values as text by column; null for rows without a value. */
  partition: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]))),
});
export type TargetFile = Static<typeof TargetFile>;

const DoneLoad = Type.Object({
  load: Type.String(),
  rows: Type.Integer(),
  bytes: Type.Integer(),
  /** Set if its columns differ from those of the folder. */
  schemaChanges: Type.Optional(Type.Array(SchemaChange)),
});
export type DoneLoad = Static<typeof DoneLoad>;

/** The contents of a folder. Files that it does not list do not count: they belong to unfinished or replaced loads. */
const FolderManifest = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  format: StringEnum(TARGET_FORMATS),
  partitionBy: Type.Array(Type.String()),
  columns: Type.Array(DatasetColumn),
  files: Type.Array(TargetFile),
  /** The newest loads, the latest at the end. */
  loads: Type.Array(DoneLoad),
});
export type FolderManifest = Static<typeof FolderManifest>;

/** Parses the manifest of an external bucket, where other programs may have written. Throws FILE_UNREADABLE. */
export function parseManifest(text: string): FolderManifest {
  try {
    const found: unknown = JSON.parse(text);
    if (hasShape(FolderManifest, found)) return found;
  } catch {
    // Reported below.
  }
  throw new DataError(
    'FILE_UNREADABLE',
    `The ${MANIFEST} of the folder was not written by a load; remove it or choose another folder.`,
  );
}

export interface FolderLoad {
  done: DoneLoad;
  format: TargetFormat;
  partitionBy: readonly string[];
  columns: readonly DatasetColumn[];
  files: readonly TargetFile[];
  replaces: 'nothing' | 'table' | 'partition';
}

/** The manifest after a load, and the files that it no longer lists. */
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
      loads: [...(current?.loads ?? []), done].slice(-MAX_LOADS),
    },
    gone: before.filter((file) => !kept.includes(file)).map(({ path }) => path),
  };
}

const partOf = ({ partition = {} }: TargetFile) => JSON.stringify(Object.entries(partition).sort());
