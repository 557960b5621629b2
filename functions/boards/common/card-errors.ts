/** The errors for sources that do not exist. */
export const MISSING_SOURCES = [
  'MODEL_NOT_FOUND',
  'DATASET_NOT_FOUND',
  'SAVED_QUERY_NOT_FOUND',
  'METRIC_NOT_FOUND',
  'BLEND_NOT_FOUND',
] as const;

/** Those of a card of a dashboard, of its query, and of the sources that it reads. */
export const CARD_ERRORS = [
  'DASHBOARD_CARD_NOT_FOUND',
  'CARD_WITHOUT_ROWS',
  'CHART_SPEC_INVALID',
  ...MISSING_SOURCES,
  'METRIC_STALE',
  'BLEND_STALE',
  'BLEND_NOT_ADDITIVE',
  'BLEND_SIDE_FAILED',
  'BLEND_SIDE_TIMEOUT',
  'BLEND_TOO_LARGE',
  'QUESTION_UNANSWERABLE',
  'SOURCE_NOT_QUERYABLE',
  'DATA_SOURCE_UNREACHABLE',
  'RLS_RAW_SQL',
  'RLS_ERROR',
  'SQL_ERROR',
  'QUERY_TIMEOUT',
  'QUERY_TOO_HEAVY',
  'RESULT_TOO_LARGE',
] as const;
