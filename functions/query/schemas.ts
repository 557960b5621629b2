import Type, { type Static } from 'typebox';
import { QUERY_JOB_LIMITS, QueryParameters, queryOptions, ResultColumn } from '../../shared/domains/queries/index.ts';
import { Problem } from '../../shared/platform/http/problem.ts';
import { DownloadLink, Id, Nullable, Timestamp } from '../../shared/platform/http/schemas.ts';

export const Sql = Type.String({ minLength: 1, maxLength: 262_144 });

export const reads = {
  datasetIds: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'The datasets that the statement may read, each under its name; all of the workspace when absent.',
    }),
  ),
  sourceId: Type.Optional(
    Type.Unsafe<string>({
      ...Id,
      description: 'A data source to read in place of datasets, in the dialect of its database.',
    }),
  ),
};

export const QueryBody = Type.Object({ sql: Sql, ...reads, params: QueryParameters, ...queryOptions });
export type QueryBody = Static<typeof QueryBody>;

export const StatementBody = Type.Object({ sql: Sql, ...reads, params: QueryParameters });

export const StatementVerdict = Type.Object(
  {
    valid: Type.Boolean(),
    errors: Problem.properties.errors,
    columns: Type.Array(ResultColumn, { description: 'Of a source they are known only when the statement runs.' }),
    tables: Type.Array(Type.String(), { description: 'What the statement reads.' }),
    parameters: Type.Array(Type.String(), { description: '`1` for `$1`, `name` for `$name`.' }),
  },
  { $id: 'StatementVerdict' },
);

export const QueryJobBody = Type.Object({
  sql: Sql,
  ...reads,
  params: QueryParameters,
  timezone: queryOptions.timezone,
  limit: Type.Integer({ minimum: 1, maximum: QUERY_JOB_LIMITS.rows, default: 100_000 }),
  timeoutMs: Type.Integer({ minimum: 1000, maximum: QUERY_JOB_LIMITS.timeoutMs, default: 300_000 }),
});
export type QueryJobBody = Static<typeof QueryJobBody>;

export const ResultQuery = Type.Object({
  cursor: Type.Integer({ minimum: 0, default: 0, description: 'What `nextCursor` of the page before says.' }),
});

export const QueryJobPage = Type.Object(
  {
    columns: Type.Array(ResultColumn),
    rows: Type.Array(Type.Array(Type.Unknown())),
    rowCount: Type.Integer({ description: 'Of all pages together.' }),
    truncated: Type.Boolean({ description: 'There are more rows than `limit`.' }),
    warnings: Type.Array(Type.String()),
    asOf: Timestamp,
    nextCursor: Nullable(Type.String()),
  },
  { $id: 'QueryJobPage' },
);
export const QueryJobResult = Type.Union([QueryJobPage, DownloadLink]);
