import type { Static } from 'typebox';
import * as Type from 'typebox';
import { SEMANTIC_TYPES } from '../../../../shared/data/profiles/semantic-types.ts';
import {
  ANOMALY_KINDS,
  FRESHNESS_STATUSES,
  QualityScan,
  SCAN_STATUSES,
  ScanConfig,
  testProperties,
} from '../../../../shared/domains/quality/index.ts';
import {
  Id,
  ListQuery,
  Nullable,
  Page,
  SortedListQuery,
  StringEnum,
  Timestamp,
} from '../../../../shared/platform/http/schemas.ts';

const ScanId = Type.Unsafe<string>({ ...Id, description: 'The id of the scan.' });
export const ScanParams = Type.Object({ scanId: ScanId });

export const TableName = Type.String({
  minLength: 1,
  maxLength: 1300,
  description: 'A dataset, a table of `schemaName`, or `schema.table`.',
});
export const TableNameParams = Type.Object({ tableName: TableName });

/** Options of `findTable`, as query parameters. */
const placeQuery = {
  sourceId: Type.Optional(
    Type.Unsafe<string>({
      ...testProperties.sourceId,
      description: 'The data source of the table, if several have one of the name.',
    }),
  ),
  schemaName: Type.Optional(
    Type.String({ maxLength: 255, description: 'The schema of the table, if several have one of the name.' }),
  ),
};

export const QualityScanPage = Page(QualityScan);

export const ScanListQuery = Type.Object({
  ...SortedListQuery.properties,
  status: Type.Optional(StringEnum(SCAN_STATUSES, { description: 'Only scans with this status.' })),
  tableName: Type.Optional(
    Type.Unsafe<string>({ ...TableName, description: 'Only scans of this dataset, or `schema.table`.' }),
  ),
});
export type ScanListQuery = Static<typeof ScanListQuery>;

export const StartScan = Type.Object(
  {
    tableName: TableName,
    modelId: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'A model whose source the table belongs to.' })),
    tableId: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'The table of the model that reads it.' })),
    sourceId: Type.Optional(testProperties.sourceId),
    schemaName: Type.Optional(testProperties.schemaName),
    config: Type.Unsafe<ScanConfig>({ ...ScanConfig, default: {} }),
  },
  { $id: 'StartDataQualityScan', description: 'The table to profile.' },
);
export type StartScan = Static<typeof StartScan>;

export const StartedScans = Type.Object(
  {
    started: Type.Array(QualityScan),
    skipped: Type.Array(
      Type.Object({
        tableName: Type.String(),
        reason: StringEnum(['scan_running', 'no_rows', 'limit'], {
          description:
            'Why the table is not scanned: a scan of it is active, the dataset has no rows, or the request has started its maximum of scans.',
        }),
      }),
    ),
  },
  { $id: 'StartedDataQualityScans', description: 'The scans that a request has started.' },
);
export type StartedScans = Static<typeof StartedScans>;

const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
const NullableValue = Nullable(Value);
const count = (description?: string) => Type.Integer(description === undefined ? {} : { description });
const nullableCount = (description: string) => Nullable(Type.Integer({ description }));
const pct = Type.Number({ description: 'Percent of the values.' });

const figures = {
  rowCount: count(),
  nullCount: count(),
  nullPct: Type.Number(),
  distinctCount: count('The number of different values, without nulls.'),
  isDistinctExact: Type.Boolean({ description: 'Whether they were all counted; an estimate is within 2 %.' }),
  uniquePct: Nullable(Type.Number({ description: 'The different values in percent of the values.' })),
  nonFiniteCount: count('NaN and infinities, which no other figure includes.'),
  min: NullableValue,
  max: NullableValue,
  mean: Nullable(Type.Number()),
  stddev: Nullable(Type.Number({ description: 'The standard deviation of a sample.' })),
  p5: NullableValue,
  p25: NullableValue,
  median: NullableValue,
  p75: NullableValue,
  p95: NullableValue,
  zeroCount: nullableCount('Numbers that are 0.'),
  negativeCount: nullableCount('Numbers below 0.'),
  blankCount: nullableCount('Texts that are empty or only white space.'),
  minLength: nullableCount('The characters of the shortest text.'),
  maxLength: nullableCount('The characters of the longest text.'),
  topValues: Type.Array(Type.Object({ value: Value, count: count(), pct }), {
    description: 'The most frequent values; none where no value repeats.',
  }),
  histogram: Type.Array(Type.Object({ low: Value, high: Value, count: count() }), {
    description: 'Bins of equal width; `high` belongs to the next bin, except in the last one.',
  }),
  patterns: Type.Array(Type.Object({ pattern: Type.String(), count: count(), pct }), {
    description: 'Shapes of texts: `A` is a run of capital letters, `a` one of other letters, `9` one of digits.',
  }),
  inferredSemanticType: Nullable(
    Type.Object({
      type: StringEnum(SEMANTIC_TYPES),
      matchPct: Type.Number({ description: 'Percent of the values that match.' }),
    }),
  ),
  isSampled: Type.Boolean({
    description: 'Whether percentiles, frequent values, histogram and patterns are estimates from a sample.',
  }),
  driftFromPrevious: Nullable(
    Type.Object({
      nullPctChange: Type.Number({ description: 'In percentage points.' }),
      meanChangePct: Nullable(Type.Number()),
      psi: Nullable(Type.Number({ description: 'The population stability index; null for keys and dates.' })),
      level: StringEnum(['none', 'moderate', 'major'], {
        description: 'By `psi`: moderate from 0.1, major from 0.25.',
      }),
    }),
  ),
};

export const ColumnProfile = Type.Object(
  {
    name: Type.String(),
    dataType: Type.String(),
    ...(Object.fromEntries(Object.entries(figures).map(([name, schema]) => [name, Type.Optional(schema)])) as {
      [K in keyof typeof figures]: Type.TOptional<(typeof figures)[K]>;
    }),
  },
  {
    $id: 'ColumnProfile',
    description:
      'A column and its values. For a caller who may not see all rows of the table, only its name and type are present. Of a table of a data source, callers who may not run queries see no values: no range, percentiles, frequent values, histogram and patterns.',
  },
);

export const TableProfile = Type.Object(
  {
    scanId: Id,
    sourceId: Type.String(),
    schemaName: Type.String(),
    tableName: Type.String(),
    datasetVersion: Nullable(Type.Integer()),
    scannedAt: Timestamp,
    rowCount: Nullable(Type.Integer({ description: 'Null for a caller who may not see all rows.' })),
    sampledRows: Nullable(Type.Integer({ description: 'The rows that estimates are from; null if there are none.' })),
    isRestricted: Type.Boolean({
      description: 'Whether row-level security or sensitivity labels keep a part from the caller.',
    }),
    driftFromPrevious: Nullable(
      Type.Object({
        rowCountChange: Type.Integer(),
        rowCountChangePct: Nullable(Type.Number()),
        addedColumns: Type.Array(Type.String()),
        removedColumns: Type.Array(Type.String()),
        changedTypes: Type.Array(Type.Object({ name: Type.String(), from: Type.String(), to: Type.String() })),
      }),
    ),
    columns: Type.Array(ColumnProfile),
    total: Type.Integer({ description: 'The number of columns that the caller may see.' }),
    limit: Type.Integer(),
    offset: Type.Integer(),
  },
  { $id: 'TableProfile', description: 'The columns of a table as a scan found them, a page of them.' },
);
export type TableProfile = Static<typeof TableProfile>;

export const ProfileQuery = ListQuery;
export type ProfileQuery = Static<typeof ProfileQuery>;

export const TableProfileQuery = Type.Object({
  ...ListQuery.properties,
  ...placeQuery,
});
export type TableProfileQuery = Static<typeof TableProfileQuery>;

const Figure = Nullable(Type.Number());

export const AnomalySummary = Type.Object(
  {
    asOf: Timestamp,
    counts: Type.Object(
      { volume: Type.Integer(), distribution: Type.Integer(), freshness: Type.Integer() },
      { description: 'Anomalies of all scanned tables; `freshness` counts the stale tables of the page.' },
    ),
    tables: Type.Array(
      Type.Object({
        sourceId: Type.String(),
        schemaName: Type.String(),
        tableName: Type.String(),
        scanId: Type.Unsafe<string>({ ...Id, description: 'The newest scan that succeeded.' }),
        scannedAt: Timestamp,
        comparedDays: Type.Integer({
          description: 'The number of earlier days with a scan; with fewer than seven, nothing is reported as unusual.',
        }),
        freshness: StringEnum(FRESHNESS_STATUSES),
        anomalies: Type.Array(
          Type.Object(
            {
              kind: StringEnum(ANOMALY_KINDS, {
                description: 'What is unusual: the number of rows, or the percentage of nulls or the mean of a column.',
              }),
              columnName: Nullable(Type.String()),
              season: StringEnum(['day_of_week', 'day_of_month', 'none'], {
                description: 'The earlier days that the newest was compared with.',
              }),
              observed: Figure,
              expected: Figure,
              expectedLow: Figure,
              expectedHigh: Figure,
              score: Nullable(
                Type.Number({ description: 'The distance from the usual value, in robust standard deviations.' }),
              ),
            },
            { description: 'Figures are null for a caller who may not see all rows.' },
          ),
        ),
      }),
    ),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  },
  { $id: 'AnomalySummary', description: 'What is unusual about the tables that have been scanned.' },
);
export type AnomalySummary = Static<typeof AnomalySummary>;
