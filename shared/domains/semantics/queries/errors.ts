import type { ErrorCode } from '../../../platform/errors/catalogue.ts';

/** The errors of a statement, of its target and of its limits. */
export const STATEMENT_ERRORS = [
  'DATASET_NOT_FOUND',
  'DATA_SOURCE_NOT_FOUND',
  'SOURCE_NOT_QUERYABLE',
  'DATA_SOURCE_UNREACHABLE',
  'SQL_PARSE',
  'SQL_NOT_READ_ONLY',
  'SQL_ERROR',
  'RLS_ERROR',
  'QUERY_TIMEOUT',
  'QUERY_TOO_HEAVY',
  'RESULT_TOO_LARGE',
  'SERVICE_BUSY',
] as const satisfies readonly ErrorCode[];
