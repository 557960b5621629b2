/** The public API of this domain; everything else is internal. */
export { BlockData } from './block-data.ts';
export { type BlockReading, blockRows } from './block-rows.ts';
export { type EndedReport, endReport, reportCleanUps } from './end-reports.ts';
export { contentIssues } from './issues.ts';
export { chosenParameters, lacksValue, type ParameterValues, parameterValues } from './parameter-values.ts';
export type { Report, ReportContent, ReportRecord } from './records.ts';
export { type ReportParts, reportParts } from './report-parts.ts';
export {
  blockOf,
  isDataBlock,
  type ReportReaderDeps,
  reportInSight,
  reportSight,
  seenReport,
} from './report-sight.ts';
export { REPORT_SUBJECT } from './report-subject.ts';
export { REPORT_USES } from './report-uses.ts';
export { type ReportRepository, reportRepository } from './repository.ts';
export {
  type DataBlock,
  GivenParameter,
  type ReportBlock,
  type ReportFilter,
  type ReportLayout,
  ReportParameter,
  readingReport,
  reportProperties,
} from './schemas.ts';
