import Type, { type Static } from 'typebox';
import { Id } from '../../shared/http/schemas.ts';
import { QueryParameters, queryOptions } from '../../shared/query/schemas.ts';

export const Sql = Type.String({ minLength: 1, maxLength: 262_144 });

const reads = {
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
