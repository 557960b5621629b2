import Type, { type Static } from 'typebox';
import { DatasetColumn } from '../../shared/data/tables/data-file.ts';
import { PartitionBy } from '../../shared/data/tables/partition.ts';
import {
  Dataset,
  DatasetIncremental,
  DatasetSource,
  LastRefresh,
  LOAD_MODES,
  REFRESH_MODES,
  Retention,
} from '../../shared/domains/datasets/index.ts';
import {
  Cursor,
  Id,
  ListQuery,
  Name,
  NextCursor,
  Nullable,
  Page,
  StringEnum,
  TaggedUnion,
  Timestamp,
} from '../../shared/platform/http/schemas.ts';
import { Job } from '../../shared/platform/jobs/record.ts';
import { Schedule } from '../../shared/platform/schedule/schedule.ts';

/** As the API shows it. */
export const DatasetView = Type.Object(
  { ...Dataset.properties, lastRefresh: Nullable(LastRefresh) },
  { $id: 'DatasetView' },
);
export type DatasetView = Static<typeof DatasetView>;

export const DatasetsQuery = Type.Object({ ...ListQuery.properties, cursor: Type.Optional(Cursor) });

/** Pages by offset, or from one to the next by cursor, which is stable while datasets come and go. */
export const DatasetPage = Type.Object({ ...Page(DatasetView).properties, nextCursor: NextCursor });

const settings = {
  mode: StringEnum(REFRESH_MODES),
  incremental: Nullable(DatasetIncremental),
  schedule: Nullable(Schedule),
  partitionBy: Nullable(PartitionBy),
  retention: Retention,
};

export const NewDataset = Type.Object(
  {
    name: Name,
    source: Type.Optional(DatasetSource),
    mode: Type.Optional(settings.mode),
    incremental: Type.Optional(settings.incremental),
    schedule: Type.Optional(settings.schedule),
    partitionBy: Type.Optional(settings.partitionBy),
    retention: Type.Optional(settings.retention),
  },
  { $id: 'NewDataset' },
);
export type NewDataset = Static<typeof NewDataset>;

export const CreatedDataset = Type.Object(
  {
    ...DatasetView.properties,
    /** The first import; null for a dataset without a source. */
    job: Nullable(Job),
  },
  { $id: 'CreatedDataset' },
);
export type CreatedDataset = Static<typeof CreatedDataset>;

export const DatasetPatch = Type.Object(
  {
    name: Type.Optional(Name),
    source: Type.Optional(Nullable(DatasetSource)),
    mode: Type.Optional(settings.mode),
    incremental: Type.Optional(settings.incremental),
    schedule: Type.Optional(settings.schedule),
    partitionBy: Type.Optional(settings.partitionBy),
    retention: Type.Optional(settings.retention),
  },
  { $id: 'DatasetPatch' },
);
export type DatasetPatch = Static<typeof DatasetPatch>;

export const DatasetSchema = Type.Object(
  {
    version: Type.Integer(),
    columns: Type.Array(
      Type.Object({
        ...DatasetColumn.properties,
        nullable: Nullable(Type.Boolean({ description: 'Whether it has a null; null when nobody has counted.' })),
      }),
    ),
  },
  { $id: 'DatasetSchema' },
);
export type DatasetSchema = Static<typeof DatasetSchema>;

const ColumnStatistics = Type.Object({
  ...DatasetColumn.properties,
  nulls: Type.Integer(),
  distinct: Type.Object({
    count: Type.Integer(),
    isExact: Type.Boolean({ description: 'Estimated, within a few percent, for more than a million rows.' }),
  }),
  min: Nullable(Type.String({ description: 'As text; null for lists, structures and binary data.' })),
  max: Nullable(Type.String()),
  mean: Nullable(Type.Number({ description: 'Of numbers.' })),
  topValues: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }), {
    description: 'The most frequent first.',
  }),
});
export type ColumnStatistics = Static<typeof ColumnStatistics>;

export const DatasetStatistics = Type.Object(
  {
    version: Type.Integer(),
    rowCount: Type.Integer(),
    columns: Type.Array(ColumnStatistics),
    truncated: Type.Boolean({ description: 'There are more columns than these.' }),
  },
  { $id: 'DatasetStatistics' },
);
export type DatasetStatistics = Static<typeof DatasetStatistics>;

export const PreviewQuery = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) });

export const DatasetPreview = Type.Object(
  {
    version: Type.Integer(),
    columns: Type.Array(DatasetColumn),
    rows: Type.Array(Type.Array(Type.Unknown())),
    rowCount: Type.Integer(),
    truncated: Type.Boolean({ description: 'The dataset has more rows than these.' }),
  },
  { $id: 'DatasetPreview' },
);
export type DatasetPreview = Static<typeof DatasetPreview>;

export const JobPage = Page(Job);

const VersionOrigin = TaggedUnion('kind', [
  Type.Object({ kind: Type.Literal('pipeline'), pipelineId: Id, runId: Id, stepId: Type.String() }),
  Type.Object({ kind: Type.Literal('refresh'), jobId: Id }),
  Type.Object({ kind: Type.Literal('restore'), version: Type.Integer(), userId: Id }),
]);

export const DatasetVersion = Type.Object(
  {
    version: Type.Integer(),
    isCurrent: Type.Boolean(),
    columns: Type.Array(DatasetColumn),
    rowCount: Type.Integer(),
    sizeBytes: Type.Integer({ description: 'Versions share files: together they may hold less than the sum.' }),
    mode: StringEnum(LOAD_MODES),
    origin: VersionOrigin,
    createdAt: Timestamp,
    /** When it may go; null while it is among the newest that stay. */
    expiresAt: Nullable(Timestamp),
  },
  { $id: 'DatasetVersion' },
);
export type DatasetVersion = Static<typeof DatasetVersion>;

export const DatasetVersions = Type.Object(
  {
    items: Type.Array(DatasetVersion),
    storedBytes: Type.Integer({ description: 'What all of them hold, each file counted once.' }),
  },
  { $id: 'DatasetVersions' },
);
export type DatasetVersions = Static<typeof DatasetVersions>;

export const VersionParams = Type.Object({ id: Id, version: Type.Integer({ minimum: 1 }) });
