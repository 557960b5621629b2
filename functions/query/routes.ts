import { QueryReply, RESULT_CONTENT_TYPES, STATEMENT_ERRORS } from '../../shared/domains/queries/index.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import { IdParams } from '../../shared/platform/http/schemas.ts';
import { Job } from '../../shared/platform/jobs/record.ts';
import { QueryBody, QueryJobBody, QueryJobResult, ResultQuery, StatementBody, StatementVerdict } from './schemas.ts';

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
  success: { status: 200, contentTypes: RESULT_CONTENT_TYPES, body: QueryReply },
  errors: STATEMENT_ERRORS,
});

export const validateQuery = defineRoute({
  operationId: 'validateQuery',
  method: 'POST',
  path: '/api/query/validate',
  summary: 'Check a statement without running it',
  description: 'What is wrong with the statement is told in `errors`, each with its place. No data is read.',
  permission: 'query:run',
  product: 'warehouse',
  body: StatementBody,
  success: { status: 200, body: StatementVerdict },
  errors: ['DATASET_NOT_FOUND', 'DATA_SOURCE_NOT_FOUND', 'SOURCE_NOT_QUERYABLE', 'SERVICE_BUSY'],
});

export const startQueryJob = defineRoute({
  operationId: 'startQueryJob',
  method: 'POST',
  path: '/api/query/jobs',
  summary: 'Run a query over datasets or a data source that takes longer than a request may',
  description:
    'The rows are kept for a day. A statement that is stopped over its memory or time is not tried again; cancelled, it stops at the source too.',
  permission: 'query:run',
  product: 'warehouse',
  body: QueryJobBody,
  success: { status: 202, body: Job },
  errors: [
    'DATASET_NOT_FOUND',
    'DATA_SOURCE_NOT_FOUND',
    'SOURCE_NOT_QUERYABLE',
    'SQL_PARSE',
    'SQL_NOT_READ_ONLY',
    'SQL_ERROR',
    'SERVICE_BUSY',
    'TOO_MANY_QUERY_JOBS',
  ],
  idempotent: true,
});

export const getQueryJob = defineRoute({
  operationId: 'getQueryJob',
  method: 'GET',
  path: '/api/query/jobs/{id}',
  summary: 'Read a query job',
  permission: 'query:run',
  product: 'warehouse',
  params: IdParams,
  success: { status: 200, body: Job },
  errors: ['QUERY_JOB_NOT_FOUND'],
});

export const getQueryJobResult = defineRoute({
  operationId: 'getQueryJobResult',
  method: 'GET',
  path: '/api/query/jobs/{id}/result',
  summary: 'Read the rows of a query job, a page at a time',
  description: 'As Parquet it is a link to all rows. Only for who may see the rows that the job was allowed to see.',
  permission: 'query:run',
  product: 'warehouse',
  params: IdParams,
  query: ResultQuery,
  success: {
    status: 200,
    contentTypes: ['application/json', 'text/csv', 'application/x-ndjson', 'application/vnd.apache.parquet'],
    body: QueryJobResult,
  },
  errors: ['QUERY_JOB_NOT_FOUND', 'QUERY_JOB_NOT_SUCCEEDED'],
});

export const cancelQueryJob = defineRoute({
  operationId: 'cancelQueryJob',
  method: 'POST',
  path: '/api/query/jobs/{id}/cancel',
  summary: 'Cancel a query job',
  description: 'One that is being worked on stops within seconds; one that is over stays as it is.',
  permission: 'query:run',
  product: 'warehouse',
  params: IdParams,
  success: { status: 202, body: Job },
  errors: ['QUERY_JOB_NOT_FOUND'],
});
