/** The public API of this domain; everything else is internal. */
export { attachTable, filesOf } from './attach-table.ts';
export { canonicalSql, isVolatile } from './canonical-sql.ts';
export {
  type AttachedFile,
  type QueryCommand,
  type ResultFormat,
  type RowRights,
  rightsOf,
  sameRights,
} from './command.ts';
export { countDatasets } from './count-datasets.ts';
export {
  assertRawSql,
  type DatasetRights,
  datasetRights,
  datasetRightsFrom,
  rightsToDatasets,
  withVisibleColumns,
} from './dataset-rights.ts';
export { type DatasetDeps, mentionedDatasets, rowRestriction, tablesOf } from './dataset-tables.ts';
export { describeDatasetStatement, describeStatement, validateStatement } from './describe-statement.ts';
export { type DownloadLinks, downloadLinks } from './download-links.ts';
export { STATEMENT_ERRORS } from './errors.ts';
export { fetchFiles, sizeOf } from './fetch-files.ts';
export { rowsAsCsv, rowsAsFile } from './live-files.ts';
export { connectionOpener, findLiveSource, type LiveSource } from './live-sources.ts';
export { checkedStatement, statementError } from './live-statement.ts';
export { logExport } from './log-export.ts';
export { withNearTables } from './near-tables.ts';
export { neededFiles } from './needed-files.ts';
export { openQueries } from './open-queries.ts';
export {
  PAGE_LIMITS,
  QUERY_JOB_LIMITS,
  type QueryJobCommand,
  type QueryJobKeys,
  type QueryJobReport,
  queryJobKeys,
} from './query-job.ts';
export { CACHED_RESULT_HEADERS, formatOf, RESULT_CONTENT_TYPES, RESULT_HEADERS, resultReply } from './result-reply.ts';
export {
  type Answer,
  type FileContent,
  fileContent,
  type QueryDeps,
  runQuery,
  runRestricted,
  runToFile,
} from './run-query.ts';
export {
  CACHE_OUTCOMES,
  type CacheOutcome,
  QueryParameters,
  QueryReply,
  QueryStats,
  queryOptions,
  ResultColumn,
} from './schemas.ts';
export { errorOfStatement } from './statement-elsewhere.ts';
export { canonicalTimezone } from './timezone.ts';
