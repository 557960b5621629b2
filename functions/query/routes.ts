import { defineRoute } from '../../shared/http/route.ts';
import { STATEMENT_ERRORS } from '../../shared/query/errors.ts';
import { RESULT_CONTENT_TYPES } from '../../shared/query/result-reply.ts';
import { QueryReply } from '../../shared/query/schemas.ts';
import { QueryBody, StatementBody, StatementVerdict } from './schemas.ts';

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
