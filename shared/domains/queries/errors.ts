import type { ErrorCode } from '../../platform/errors/catalogue.ts';

/** What can be wrong with a statement, where it reads, or how long it takes. */
export const STATEMENT_ERRORS = [
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
