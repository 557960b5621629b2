import {
  CACHED_RESULT_HEADERS,
  QueryReply,
  RESULT_CONTENT_TYPES,
  RESULT_HEADERS,
  STATEMENT_ERRORS,
} from '../../../shared/domains/semantics/queries/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import { Job } from '../../../shared/platform/jobs/record.ts';
import {
  QueryJobParams,
  QueryJobResult,
  ResultQuery,
  RunQuery,
  StartQueryJob,
  StatementCheck,
  ValidateQuery,
} from './schemas.ts';

export const runQuery = defineRoute({
  operationId: 'runQuery',
  method: 'POST',
  path: '/api/query',
  summary: 'Run a query',
  description:
    'One SELECT or WITH statement. Over datasets it is in the DuckDB dialect, and its tables are the datasets of the workspace by name; over a data source it is in the dialect of the database. It can read nothing else.',
  permission: 'query:run',
  product: 'warehouse',
  body: RunQuery,
  anyNumbers: true,
  success: { status: 200, contentTypes: RESULT_CONTENT_TYPES, body: QueryReply, headers: CACHED_RESULT_HEADERS },
  errors: [...STATEMENT_ERRORS, 'RLS_RAW_SQL'],
  audit: 'query.exported',
});

export const validateQuery = defineRoute({
  operationId: 'validateQuery',
  method: 'POST',
  path: '/api/query/validate',
  summary: 'Validate a query',
  description: 'Checks a statement without running it or reading data. `errors` lists every issue with its place.',
  permission: 'query:run',
  product: 'warehouse',
  body: ValidateQuery,
  success: { status: 200, body: StatementCheck },
  errors: ['DATASET_NOT_FOUND', 'DATA_SOURCE_NOT_FOUND', 'SOURCE_NOT_QUERYABLE', 'RLS_RAW_SQL', 'SERVICE_BUSY'],
});

export const startQueryJob = defineRoute({
  operationId: 'startQueryJob',
  method: 'POST',
  path: '/api/query/jobs',
  summary: 'Start a query job',
  description:
    'For queries that take longer than a request may. The rows are stored for a day. A query that is stopped because of its memory or time is not retried.',
  permission: 'query:run',
  product: 'warehouse',
  body: StartQueryJob,
  success: { status: 202, body: Job },
  errors: [
    'DATASET_NOT_FOUND',
    'DATA_SOURCE_NOT_FOUND',
    'SOURCE_NOT_QUERYABLE',
    'SQL_PARSE',
    'SQL_NOT_READ_ONLY',
    'SQL_ERROR',
    'RLS_RAW_SQL',
    'SERVICE_BUSY',
    'TOO_MANY_QUERY_JOBS',
  ],
  idempotent: true,
});

export const getQueryJob = defineRoute({
  operationId: 'getQueryJob',
  method: 'GET',
  path: '/api/query/jobs/{id}',
  summary: 'Get a query job',
  description:
    'The message of an error may quote rows, so it is only for callers who may see the same rows as the user who started the job.',
  permission: 'query:run',
  product: 'warehouse',
  params: QueryJobParams,
  success: { status: 200, body: Job },
  errors: ['QUERY_JOB_NOT_FOUND'],
});

export const getQueryJobResult = defineRoute({
  operationId: 'getQueryJobResult',
  method: 'GET',
  path: '/api/query/jobs/{id}/result',
  summary: "Get a query job's rows",
  description:
    'In pages; as Parquet, a link to all rows. Only for callers who may see the same rows as the user who started the job.',
  permission: 'query:run',
  product: 'warehouse',
  params: QueryJobParams,
  query: ResultQuery,
  success: {
    status: 200,
    contentTypes: ['application/json', 'text/csv', 'application/x-ndjson', 'application/vnd.apache.parquet'],
    body: QueryJobResult,
    headers: { ...RESULT_HEADERS, Link: 'Leads to the next page, as `rel="next"`, in content types other than JSON.' },
  },
  errors: ['QUERY_JOB_NOT_FOUND', 'QUERY_JOB_NOT_SUCCEEDED', 'RLS_RAW_SQL'],
  audit: 'query.exported',
});

export const cancelQueryJob = defineRoute({
  operationId: 'cancelQueryJob',
  method: 'POST',
  path: '/api/query/jobs/{id}/cancel',
  summary: 'Cancel a query job',
  description: 'A running query stops within seconds, also at a data source. A job that has ended does not change.',
  permission: 'query:run',
  product: 'warehouse',
  params: QueryJobParams,
  success: { status: 202, body: Job },
  errors: ['QUERY_JOB_NOT_FOUND'],
});
