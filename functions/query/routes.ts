import type { ErrorCode } from '../../shared/errors/catalogue.ts';
import { defineRoute } from '../../shared/http/route.ts';
import { QueryResult } from '../../shared/query/schemas.ts';
import { QueryBody } from './schemas.ts';

/** What can be wrong with a statement, where it reads, or how long it takes. */
const STATEMENT_ERRORS = [
  'DATASET_NOT_FOUND',
  'DATA_SOURCE_NOT_FOUND',
  'SOURCE_NOT_QUERYABLE',
  'DATA_SOURCE_UNREACHABLE',
  'SQL_PARSE',
  'SQL_NOT_READ_ONLY',
  'SQL_ERROR',
  'QUERY_TIMEOUT',
  'QUERY_TOO_HEAVY',
  'RESULT_TOO_LARGE',
  'SERVICE_BUSY',
] as const satisfies readonly ErrorCode[];

export const runQuery = defineRoute({
  operationId: 'runQuery',
  method: 'POST',
  path: '/api/query',
  summary: 'Run a read-only query over datasets or a data source',
  description:
    'One SELECT or WITH statement. Over datasets it is in the DuckDB dialect and its tables are the datasets of the workspace by name; over a source it is in the dialect of the database. Nothing else can be reached.',
  permission: 'query:run',
  product: 'warehouse',
  body: QueryBody,
  success: { status: 200, body: QueryResult },
  errors: STATEMENT_ERRORS,
});
