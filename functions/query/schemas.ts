import Type, { type Static } from 'typebox';
import { Id, Nullable } from '../../shared/http/schemas.ts';

const Parameter = Nullable(Type.Union([Type.String({ maxLength: 65_536 }), Type.Number(), Type.Boolean()]));

export const QueryBody = Type.Object({
  sql: Type.String({ minLength: 1, maxLength: 262_144 }),
  datasetIds: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'The datasets that the statement may read, each under its name; all of the workspace when absent.',
    }),
  ),
  params: Type.Array(Parameter, { maxItems: 100, default: [], description: 'Values of `$1`, `$2`, …' }),
  limit: Type.Integer({ minimum: 1, maximum: 50_000, default: 1000 }),
  timeoutMs: Type.Integer({ minimum: 100, maximum: 25_000, default: 20_000 }),
});
export type QueryBody = Static<typeof QueryBody>;

/**
 * Values travel as JSON: integers beyond 2^53 and decimals as strings, dates as `YYYY-MM-DD`, timestamps in UTC, NaN and
 * infinity as null with a warning.
 */
export const QueryResult = Type.Object(
  {
    queryId: Id,
    columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
    rows: Type.Array(Type.Array(Type.Unknown())),
    rowCount: Type.Integer(),
    truncated: Type.Boolean({ description: 'There are more rows than `limit`.' }),
    warnings: Type.Array(Type.String()),
    stats: Type.Object({ ms: Type.Integer(), bytes: Type.Integer() }),
  },
  { $id: 'QueryResult' },
);
export type QueryResult = Static<typeof QueryResult>;
