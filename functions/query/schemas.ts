import Type, { type Static } from 'typebox';
import { Problem } from '../../shared/http/problem.ts';
import { Id } from '../../shared/http/schemas.ts';
import { QueryParameters, queryOptions, ResultColumn } from '../../shared/query/schemas.ts';

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
