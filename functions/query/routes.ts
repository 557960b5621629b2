import { defineRoute } from '../../shared/http/route.ts';
import { QueryBody, QueryResult } from './schemas.ts';

export const runQuery = defineRoute({
  operationId: 'runQuery',
  method: 'POST',
  path: '/api/query',
  summary: 'Run a read-only query over datasets',
  description:
    'One SELECT or WITH statement in the DuckDB dialect. The tables are the datasets of the workspace by name; nothing else can be reached.',
  permission: 'query:run',
  product: 'warehouse',
  body: QueryBody,
  success: { status: 200, body: QueryResult },
  errors: [
    'DATASET_NOT_FOUND',
    'SQL_PARSE',
    'SQL_NOT_READ_ONLY',
    'SQL_ERROR',
    'QUERY_TIMEOUT',
    'QUERY_TOO_HEAVY',
    'RESULT_TOO_LARGE',
  ],
});
