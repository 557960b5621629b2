import Type, { type Static } from 'typebox';
export const DatasetColumn = Type.Object(
  {
    name: Type.String(),
    type: Type.String({ description: 'Such as `integer`, `decimal(18,2)`, `timestamp` or `list(string)`.' }),
  },
  { $id: 'DatasetColumn', description: 'A column with its type.' },
);
export type DatasetColumn = Static<typeof DatasetColumn>;

/** A Parquet file in the data bucket. Objects are never changed; where an upload may be replaced, `etag` pins what was read. */
export interface DataFile {
  key: string;
  sizeBytes: number;
  rows: number;
  etag?: string;
  /** The partition that all of its rows are in, as text; null for rows without a value. */
  partition?: string | null;
  /** Absent where nobody looked: such a file may hold anything. */
  stats?: FileStats;
  /** Equal for files whose columns have the same names and types in the same order. */
  form?: string;
}

export const bytesOf = (files: readonly DataFile[]): number => files.reduce((sum, file) => sum + file.sizeBytes, 0);

export type FileStats = Record<string, ColumnStats>;

/** Bounds of a column's values in one file, as the engine writes them; absent where they say too little to be kept. */
export interface ColumnStats {
  min?: string;
  max?: string;
  nulls: number;
}
