import type { Static } from 'typebox';
import * as Type from 'typebox';
export const DatasetColumn = Type.Object(
  {
    name: Type.String(),
    type: Type.String({ description: 'Such as `integer`, `decimal(18,2)`, `timestamp` or `list(string)`.' }),
  },
  { $id: 'DatasetColumn', description: 'A column with its type.' },
);
export type DatasetColumn = Static<typeof DatasetColumn>;

/**
 * A Parquet file in the data bucket. Objects never change; if an upload can be replaced, `etag` identifies the content
 * that was read.
 */
export interface DataFile {
  key: string;
  sizeBytes: number;
  rows: number;
  etag?: string;
  /** The partition of all of its rows, as text; null for rows without a value. */
  partition?: string | null;
  /** Absent if the file has not been examined; it may then hold any values. */
  stats?: FileStats;
  /** Identifies the column names and types in their order. Files with equal values can be read together. */
  form?: string;
}

export const bytesOf = (files: readonly DataFile[]): number => files.reduce((sum, file) => sum + file.sizeBytes, 0);

export type FileStats = Record<string, ColumnStats>;

/**
 * Bounds of a column's values in one file, as the engine writes them. Absent if they would exclude too little to be
 * worth storing.
 */
export interface ColumnStats {
  min?: string;
  max?: string;
  nulls: number;
}
