import type { Static } from 'typebox';
import * as Type from 'typebox';
import { SEVERITIES } from '../../../../shared/data/quality/tests.ts';
import { DIMENSIONS, FRESHNESS_STATUSES, PublishGate } from '../../../../shared/domains/quality/index.ts';
import {
  Id,
  ListQuery,
  Nullable,
  Page,
  StringEnum,
  sortedBy,
  Timestamp,
} from '../../../../shared/platform/http/schemas.ts';

const ScoreValue = Nullable(
  Type.Number({ minimum: 0, maximum: 100, description: '0 to 100; null without evidence, which is not 100.' }),
);
const Count = Type.Integer({ minimum: 0 });
const Components = Type.Object(Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, ScoreValue])), {
  description: 'Score for each dimension of quality.',
});

const score = {
  score: ScoreValue,
  components: Components,
  tests: Type.Integer({ minimum: 0, description: 'The number of tests that the score is based on.' }),
  asOf: Timestamp,
  trend: Type.Array(
    Type.Object({ date: Type.String({ format: 'date' }), score: Type.Number({ minimum: 0, maximum: 100 }) }),
    { description: 'The mean of the tables at the end of each of the last 30 days, from the first run on.' },
  ),
};

const place = {
  sourceId: Type.String({ description: 'The data source of the table; `datasets` for a dataset.' }),
  schemaName: Type.String(),
  tableName: Type.String(),
};

const staleTests = Type.Array(Id, {
  description: 'The number of tests that missed their last two scheduled times; their results do not count.',
});

export const WorkspaceScore = Type.Object(
  {
    ...score,
    tables: Type.Integer({ minimum: 0, description: 'How many tables have a score.' }),
    unscored: Type.Integer({ minimum: 0, description: 'How many tables have active tests and no score.' }),
    staleTests,
  },
  { $id: 'DataQualityScore', description: 'How far the tables of the workspace can be trusted.' },
);
export type WorkspaceScore = Static<typeof WorkspaceScore>;

export const TableScore = Type.Object(
  {
    ...place,
    score: ScoreValue,
    components: Components,
    tests: score.tests,
    unscored: Type.Integer({ minimum: 0, description: 'How many active tests have no usable result.' }),
    failing: Type.Integer({ minimum: 0, description: 'How many tests fail.' }),
    staleTests,
    dependents: Type.Integer({ minimum: 0, description: 'How many saved queries and other records read the dataset.' }),
    lastRunAt: Nullable(Timestamp),
  },
  { $id: 'DataQualityTableScore', description: 'The score of a table that has active tests.' },
);
export type TableScore = Static<typeof TableScore>;
export const TableScorePage = Page(TableScore);
export const TableScoreQuery = Type.Object({
  ...ListQuery.properties,
  sort: sortedBy(['tableName', 'score'], '`tableName`'),
});
export type TableScoreQuery = Static<typeof TableScoreQuery>;

const freshness = {
  status: StringEnum(FRESHNESS_STATUSES, {
    description:
      '`unknown` without a load, a schedule or a rhythm of loads, and if no scan has read the rows since the newest date became too old.',
  }),
  lastLoadedAt: Nullable(
    Type.Unsafe<string>({
      ...Timestamp,
      description: 'The time of the last load, or the newest value of `columnName`.',
    }),
  ),
  expectedEvery: Nullable(Type.Integer({ minimum: 0, description: 'Seconds between loads.' })),
  staleAt: Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'When the next load is overdue.' })),
  columnName: Nullable(
    Type.String({ description: 'The column of dates that decides the status; null if the loads decide it.' }),
  ),
};

const Freshness = Type.Object(freshness, { description: 'The freshness of the table that is most overdue.' });
export type Freshness = Static<typeof Freshness>;

export const TableFreshness = Type.Object(
  { ...place, ...freshness },
  {
    $id: 'DataQualityFreshness',
    description:
      'Whether a table is as new as its schedule, or else the rhythm of its loads, promises; of a table of a data source, by the newest dates that scans found.',
  },
);
export type TableFreshness = Static<typeof TableFreshness>;
export const TableFreshnessPage = Page(TableFreshness);
export { ListQuery as FreshnessQuery };

export const ReportStatusQuery = Type.Object({
  tableNames: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 8000,
      description: 'Datasets and tables (`schema.table`) with commas between them, at most 50.',
    }),
  ),
  modelId: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Instead of names: the tables of this model.' })),
  reportId: Type.Optional(
    Type.Unsafe<string>({ ...Id, description: 'A report or dashboard whose tables to use instead of `tableNames`.' }),
  ),
});
export type ReportStatusQuery = Static<typeof ReportStatusQuery>;

export const ReportStatus = Type.Object(
  {
    ...score,
    unscored: Type.Integer({ minimum: 0, description: 'The number of tables without a score.' }),
    freshness: Freshness,
    issues: Type.Object(
      {
        open: Type.Integer({ minimum: 0, description: 'Number of issues that are open or in progress.' }),
        worstSeverity: Nullable(StringEnum(SEVERITIES)),
        bySeverity: Type.Object(Object.fromEntries(SEVERITIES.map((severity) => [severity, Count]))),
      },
      { description: 'The issues of the tables.' },
    ),
    tables: Type.Array(Type.Object({ ...place, score: ScoreValue, freshness: freshness.status, openIssues: Count })),
  },
  {
    $id: 'DataQualityReportStatus',
    description: 'Quality, freshness and issues of the tables behind a report, a dashboard or a model, in one reply.',
  },
);
export type ReportStatus = Static<typeof ReportStatus>;

export const UpdatePublishGate = Type.Object(
  { minScore: PublishGate.properties.minScore },
  { $id: 'UpdateDataQualityPublishGate', description: 'The lowest score of tables for publishing.' },
);
