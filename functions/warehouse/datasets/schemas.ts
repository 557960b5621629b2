import type { Static } from 'typebox';
import * as Type from 'typebox';
import { DatasetColumn } from '../../../shared/data/tables/data-file.ts';
import { PartitionBy } from '../../../shared/data/tables/partition.ts';
import {
  Dataset,
  DatasetIncremental,
  DatasetSource,
  LastRefresh,
  LOAD_MODES,
  REFRESH_MODES,
  Retention,
} from '../../../shared/domains/warehouse/datasets/index.ts';
import {
  Cursor,
  Id,
  idParams,
  LimitQuery,
  ListQuery,
  Name,
  NameFilter,
  NextCursor,
  Nullable,
  Page,
  StringEnum,
  searchFilter,
  sortedBy,
  TaggedUnion,
  Timestamp,
} from '../../../shared/platform/http/schemas.ts';
import { Job } from '../../../shared/platform/jobs/record.ts';
import { Schedule } from '../../../shared/platform/schedule/schedule.ts';
export const DatasetParams = idParams('dataset');

export const DatasetView = Type.Object(
  { ...Dataset.properties, lastRefresh: Nullable(LastRefresh) },
  { $id: 'DatasetView', description: 'A dataset, and how its last refresh ended.' },
);
export type DatasetView = Static<typeof DatasetView>;

/** Members of datasets to sort by that are not texts. */
export const SIZES = ['rowCount', 'sizeBytes', 'loadedAt'] as const;

export const DatasetsQuery = Type.Object({
  ...ListQuery.properties,
  name: NameFilter,
  search: searchFilter('datasets', { texts: 'name' }),
  sort: sortedBy(['createdAt', 'name', 'updatedAt', ...SIZES], '`-createdAt`'),
  cursor: Type.Optional(Cursor),
});
export type DatasetsQuery = Static<typeof DatasetsQuery>;

export const DatasetPage = Type.Object(
  { ...Page(DatasetView).properties, nextCursor: NextCursor },
  { $id: 'DatasetPage', description: 'A page of the list; `total` counts all items that the caller can see.' },
);

const settings = {
  mode: StringEnum(REFRESH_MODES),
  incremental: Nullable(DatasetIncremental),
  schedule: Nullable(Schedule),
  partitionBy: Nullable(PartitionBy),
  retention: Retention,
};

export const CreateDataset = Type.Object(
  {
    name: Name,
    source: Type.Optional(DatasetSource),
    mode: Type.Optional(settings.mode),
    incremental: Type.Optional(settings.incremental),
    schedule: Type.Optional(settings.schedule),
    partitionBy: Type.Optional(settings.partitionBy),
    retention: Type.Optional(settings.retention),
  },
  { $id: 'CreateDataset', description: 'A new dataset. Omit `source` for one that pipelines load.' },
);
export type CreateDataset = Static<typeof CreateDataset>;

export const CreatedDataset = Type.Object(
  {
    ...DatasetView.properties,
    job: Nullable(Job),
  },
  {
    $id: 'CreatedDataset',
    description: 'The created dataset with the job of its first import; null without a source.',
  },
);
export type CreatedDataset = Static<typeof CreatedDataset>;

export const UpdateDataset = Type.Object(
  {
    name: Type.Optional(Name),
    source: Type.Optional(Nullable(DatasetSource)),
    mode: Type.Optional(settings.mode),
    incremental: Type.Optional(settings.incremental),
    schedule: Type.Optional(settings.schedule),
    partitionBy: Type.Optional(settings.partitionBy),
    retention: Type.Optional(settings.retention),
  },
  { $id: 'UpdateDataset', description: 'Settings to change; omitted settings keep their values.' },
);
export type UpdateDataset = Static<typeof UpdateDataset>;

export const DatasetSchema = Type.Object(
  {
    version: Type.Integer(),
    columns: Type.Array(
      Type.Object({
        ...DatasetColumn.properties,
        nullable: Nullable(Type.Boolean({ description: 'Whether it has nulls; null when they were not counted.' })),
      }),
    ),
  },
  { $id: 'DatasetSchema', description: 'The columns of the current version.' },
);
export type DatasetSchema = Static<typeof DatasetSchema>;

const ColumnStatistics = Type.Object(
  {
    ...DatasetColumn.properties,
    nulls: Type.Integer(),
    distinct: Type.Object({
      count: Type.Integer(),
      isExact: Type.Boolean({
        description: 'False for more than a million rows: the count is approximate, off by a few percent.',
      }),
    }),
    min: Nullable(Type.String({ description: 'Smallest value as text; null for lists, structures and binary data.' })),
    max: Nullable(Type.String()),
    mean: Nullable(Type.Number({ description: 'For columns of numbers.' })),
    topValues: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }), {
      description: 'The most frequent first.',
    }),
  },
  { $id: 'ColumnStatistics', description: 'The statistics of one column.' },
);
export type ColumnStatistics = Static<typeof ColumnStatistics>;

export const DatasetStatistics = Type.Object(
  {
    version: Type.Integer(),
    rowCount: Type.Integer(),
    columns: Type.Array(ColumnStatistics),
    truncated: Type.Boolean({ description: 'Whether there are more columns than these.' }),
  },
  { $id: 'DatasetStatistics', description: 'The statistics of the current version by column.' },
);
export type DatasetStatistics = Static<typeof DatasetStatistics>;

export const PreviewQuery = LimitQuery;

export const DatasetPreview = Type.Object(
  {
    version: Type.Integer(),
    columns: Type.Array(DatasetColumn),
    rows: Type.Array(Type.Array(Type.Unknown())),
    rowCount: Type.Integer(),
    truncated: Type.Boolean({ description: 'Whether the dataset has more rows than these.' }),
  },
  { $id: 'DatasetPreview', description: 'The first rows of the current version.' },
);
export type DatasetPreview = Static<typeof DatasetPreview>;

export const JobPage = Page(Job);

const VersionOrigin = TaggedUnion(
  'kind',
  [
    Type.Object(
      { kind: Type.Literal('pipeline'), pipelineId: Id, runId: Id, stepId: Type.String() },
      { $id: 'PipelineOrigin', description: 'A load of a pipeline.' },
    ),
    Type.Object(
      { kind: Type.Literal('refresh'), jobId: Id },
      { $id: 'RefreshOrigin', description: 'A refresh of the dataset.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('quality_test'),
        testId: Id,
        jobId: Id,
        failedRows: Type.Integer({ description: 'How many rows failed; the version may have fewer.' }),
      },
      { $id: 'QualityTestOrigin', description: 'The rows that fail a data-quality test.' },
    ),
    Type.Object(
      { kind: Type.Literal('restore'), version: Type.Integer(), userId: Id },
      { $id: 'RestoreOrigin', description: 'An earlier version that a user restored.' },
    ),
  ],
  { $id: 'DatasetVersionOrigin', description: 'The origin of the version.' },
);

export const DatasetVersion = Type.Object(
  {
    version: Type.Integer(),
    isCurrent: Type.Boolean(),
    columns: Type.Array(DatasetColumn),
    rowCount: Type.Integer(),
    sizeBytes: Type.Integer({ description: 'Versions share files: together they may take less than the sum.' }),
    mode: StringEnum(LOAD_MODES),
    origin: VersionOrigin,
    createdAt: Timestamp,
    expiresAt: Nullable(
      Type.String({
        format: 'date-time',
        description: 'When it may be deleted; null for the newest versions, which are retained.',
      }),
    ),
  },
  { $id: 'DatasetVersion', description: 'The content of a dataset after one load, refresh or restore.' },
);
export type DatasetVersion = Static<typeof DatasetVersion>;

export const DatasetVersions = Type.Object(
  {
    items: Type.Array(DatasetVersion),
    storedBytes: Type.Integer({ description: 'The size of all of them, each file counted once.' }),
  },
  { $id: 'DatasetVersions', description: 'The available versions, newest first.' },
);
export type DatasetVersions = Static<typeof DatasetVersions>;

export const VersionParams = Type.Object({
  ...DatasetParams.properties,
  version: Type.Integer({ minimum: 1, description: 'The number of the version.' }),
});
