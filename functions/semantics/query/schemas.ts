import type { Static } from 'typebox';
import * as Type from 'typebox';
import {
  QUERY_JOB_LIMITS,
  QueryParameters,
  queryOptions,
  ResultColumn,
} from '../../../shared/domains/semantics/queries/index.ts';
import { Problem } from '../../../shared/platform/http/problem.ts';
import { DownloadLink, Id, idParams, Nullable, Timestamp } from '../../../shared/platform/http/schemas.ts';

export const QueryJobParams = idParams('query job');

export const Sql = Type.String({ minLength: 1, maxLength: 262_144, description: 'One SELECT or WITH statement.' });

export const reads = {
  datasetIds: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'The datasets that the statement may read, each under its name; all of the workspace if omitted.',
    }),
  ),
  sourceId: Type.Optional(
    Type.Unsafe<string>({
      ...Id,
      description: 'A data source to read instead of datasets; the statement is in the SQL of its database.',
    }),
  ),
};

export const RunQuery = Type.Object(
  { sql: Sql, ...reads, params: QueryParameters, ...queryOptions },
  { $id: 'RunQuery', description: 'A statement to run, and how.' },
);
export type RunQuery = Static<typeof RunQuery>;

export const ValidateQuery = Type.Object(
  { sql: Sql, ...reads, params: QueryParameters },
  { $id: 'ValidateQuery', description: 'A statement to check.' },
);

export const StatementCheck = Type.Object(
  {
    valid: Type.Boolean(),
    errors: Problem.properties.errors,
    columns: Type.Array(ResultColumn, {
      description: 'Empty for a source, whose columns are known only when the statement runs.',
    }),
    tables: Type.Array(Type.String(), { description: 'The datasets or tables that the statement reads.' }),
    parameters: Type.Array(Type.String(), { description: '`1` for `$1`, `name` for `$name`.' }),
  },
  { $id: 'StatementCheck', description: 'Whether a statement is valid, what it reads and returns.' },
);

export const StartQueryJob = Type.Object(
  {
    sql: Sql,
    ...reads,
    params: QueryParameters,
    timezone: queryOptions.timezone,
    limit: Type.Integer({
      minimum: 1,
      maximum: QUERY_JOB_LIMITS.rows,
      default: 100_000,
      description: 'The maximum number of rows to store.',
    }),
    timeoutMs: Type.Integer({
      minimum: 1000,
      maximum: QUERY_JOB_LIMITS.timeoutMs,
      default: 300_000,
      description: 'The query is stopped after this time.',
    }),
  },
  { $id: 'StartQueryJob', description: 'A statement to run as a job, and how.' },
);
export type StartQueryJob = Static<typeof StartQueryJob>;

export const ResultQuery = Type.Object({
  cursor: Type.Integer({ minimum: 0, default: 0, description: 'The `nextCursor` of the previous page.' }),
});

export const QueryJobPage = Type.Object(
  {
    columns: Type.Array(ResultColumn),
    rows: Type.Array(Type.Array(Type.Unknown())),
    rowCount: Type.Integer({ description: 'The number of rows in all pages.' }),
    truncated: Type.Boolean({ description: 'Whether there are more rows than `limit`.' }),
    warnings: Type.Array(Type.String()),
    asOf: Timestamp,
    nextCursor: Nullable(Type.String()),
  },
  { $id: 'QueryJobPage', description: 'A page of the rows of a query job.' },
);
export const QueryJobResult = Type.Union([QueryJobPage, DownloadLink]);
