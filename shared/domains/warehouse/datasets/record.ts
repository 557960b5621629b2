import type { Static } from 'typebox';
import * as Type from 'typebox';
import { type DataFile, DatasetColumn } from '../../../data/tables/data-file.ts';
import { PartitionBy } from '../../../data/tables/partition.ts';
import { shownDefinition } from '../../../platform/http/managed-by.ts';
import { Id, Name, Nullable, Revision, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { Schedule } from '../../../platform/schedule/schedule.ts';
import { DatasetIncremental, DatasetSource, type DatasetWatermark, REFRESH_MODES } from './source.ts';
export const Retention = Type.Object(
  {
    versions: Type.Integer({ minimum: 1, maximum: 100, default: 3, description: 'Includes the current one.' }),
    days: Type.Integer({ minimum: 0, maximum: 365, default: 1 }),
  },
  {
    $id: 'DatasetRetention',
    description:
      'How long superseded versions are kept: the newest `versions`, and any that was current within the last `days`.',
    additionalProperties: false,
  },
);
export type Retention = Static<typeof Retention>;

export const DEFAULT_RETENTION: Retention = { versions: 3, days: 1 };

export const Dataset = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    name: Name,
    version: Type.Integer({ minimum: 0 }),
    columns: Type.Array(DatasetColumn),
    rowCount: Type.Integer(),
    sizeBytes: Type.Integer({ description: 'The size of the current version, without superseded ones.' }),
    loadedAt: Nullable(Timestamp),
    source: Nullable(DatasetSource),
    mode: StringEnum(REFRESH_MODES, {
      description: 'What a refresh does: `full` replaces all rows, `incremental` adds the new ones.',
    }),
    incremental: Nullable(DatasetIncremental),
    schedule: Nullable(Schedule),
    partitionBy: Nullable(PartitionBy),
    retention: Retention,
    createdBy: Nullable(Id),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Revision,
    ...shownDefinition,
  },
  {
    $id: 'Dataset',
    description: 'A table of the warehouse. Its rows are those of its newest version; version 0 has none.',
  },
);
export type Dataset = Static<typeof Dataset>;

/** A dataset before its first load. */
export function emptyDataset(made: {
  id: string;
  workspaceId: string;
  name: string;
  createdBy: string | null;
  at: Date;
}): Dataset {
  const { at, ...given } = made;
  const time = at.toISOString();
  return {
    ...given,
    version: 0,
    columns: [],
    rowCount: 0,
    sizeBytes: 0,
    loadedAt: null,
    source: null,
    mode: 'full',
    incremental: null,
    schedule: null,
    partitionBy: null,
    retention: DEFAULT_RETENTION,
    createdAt: time,
    updatedAt: time,
    revision: 1,
  };
}

export const LOAD_MODES = ['append', 'overwrite', 'merge'] as const;
export type LoadMode = (typeof LOAD_MODES)[number];

/** Where a version comes from. */
export type VersionOrigin =
  | { kind: 'pipeline'; pipelineId: string; runId: string; stepId: string }
  | { kind: 'refresh'; jobId: string }
  | { kind: 'quality_test'; testId: string; jobId: string; failedRows: number }
  | { kind: 'restore'; version: number; userId: string };

/** The content of a version of a dataset. It is written once and never changes. */
export interface Manifest {
  datasetId: string;
  workspaceId: string;
  version: number;
  files: DataFile[];
  columns: DatasetColumn[];
  rowCount: number;
  sizeBytes: number;
  mode: LoadMode;
  origin: VersionOrigin;
  /** The position up to which the source was read; the next incremental refresh continues there. */
  watermark?: DatasetWatermark;
  createdAt: string;
}
