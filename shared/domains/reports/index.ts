/** The public API of this domain; everything else is internal. */
export { type BlockReading, blockRows } from './block-rows.ts';
export { endReport } from './end-reports.ts';
export { contentIssues } from './issues.ts';
export { type ParameterValues, parameterValues } from './parameter-values.ts';
export type { Report, ReportContent, ReportRecord } from './records.ts';
export { type ReportParts, reportParts } from './report-parts.ts';
export { type ReportRepository, reportRepository } from './repository.ts';
export {
  type DataBlock,
  type GivenParameter,
  type ReportBlock,
  type ReportFilter,
  type ReportLayout,
  type ReportParameter,
  readingReport,
  reportProperties,
} from './schemas.ts';
export { blockOf, isDataBlock, type ReportReaderDeps, reportSight, seenReport } from './shown-report.ts';
