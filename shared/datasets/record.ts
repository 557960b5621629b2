import Type, { type Static } from 'typebox';
import { Id, Name, Nullable, Timestamp } from '../http/schemas.ts';

export const DatasetColumn = Type.Object(
  {
    name: Type.String(),
    type: Type.String({ description: 'Such as `integer`, `decimal(18,2)`, `timestamp` or `list(string)`.' }),
  },
  { $id: 'DatasetColumn' },
);
export type DatasetColumn = Static<typeof DatasetColumn>;

/** A table of the warehouse. Its content is the Parquet files of its newest version; version 0 has none. */
export const Dataset = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    name: Name,
    version: Type.Integer({ minimum: 0 }),
    columns: Type.Array(DatasetColumn),
    rowCount: Type.Integer(),
    sizeBytes: Type.Integer(),
    loadedAt: Nullable(Timestamp),
    createdBy: Nullable(Id),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'Dataset' },
);
export type Dataset = Static<typeof Dataset>;

/** A Parquet file in the data bucket. Objects are never changed; where an upload may be replaced, `etag` pins what was read. */
export interface DataFile {
  key: string;
  sizeBytes: number;
  rows: number;
  etag?: string;
}

export const LOAD_MODES = ['append', 'overwrite', 'merge'] as const;
export type LoadMode = (typeof LOAD_MODES)[number];

/** What one version of a dataset consists of. Written once with the version, never changed. */
export interface Manifest {
  datasetId: string;
  workspaceId: string;
  version: number;
  files: DataFile[];
  columns: DatasetColumn[];
  rowCount: number;
  sizeBytes: number;
  mode: LoadMode;
  /** Where the version comes from. */
  pipelineId: string | null;
  runId: string | null;
  stepId: string | null;
  createdAt: string;
}
