/** The public API of this domain; everything else is internal. */

export { cronProperties, readCron } from './cron-schedule.ts';
export { type FindingDeps, recordFinding, recordResolved } from './issues/record-finding.ts';
export {
  ISSUE_STATUSES,
  ISSUE_TYPES,
  type IssueStatus,
  type IssueType,
  issueProperties,
  MAX_CHANGES,
  type QualityIssue,
} from './issues/records.ts';
export { auditedIssues, edgeItems, type IssueRepository, issueRepository } from './issues/repository.ts';
export { afterDecision, type Decision, type Finding, type IssuePlace } from './issues/rules.ts';
export { untrustedTables } from './issues/untrusted-tables.ts';
export { isProtected } from './protected-table.ts';
export { publishCheck, type QualityCheck } from './publishing/check.ts';
export { PublishGate, readPublishGate, updatePublishGate } from './publishing/gate.ts';
export {
  ALL_TESTS,
  type FailingRowsInput,
  isRun,
  manualTrigger,
  QUALITY_JOB,
  type RunInput,
  TRIGGERS,
} from './runs/input.ts';
export { runOf } from './runs/of-test.ts';
export {
  issuePlaces,
  latestResult,
  latestResults,
  listRuns,
  RUN_DAYS,
  recordedRuns,
  recordRun,
  removeLatestItem,
  runIdOf,
} from './runs/record-run.ts';
export {
  type QualityRun,
  RUN_STATUSES,
  RUN_TRIGGERS,
  type RunTrigger,
  runProperties,
  Sample,
  type StoredRun,
} from './runs/records.ts';
export { startRun, startRunAfterSync } from './runs/start-run.ts';
export { checkScanConfig } from './scans/check-config.ts';
export { datasetFreshness } from './scans/dataset-freshness.ts';
export { FRESHNESS_STATUSES, freshnessOf } from './scans/freshness.ts';
export { ANOMALY_KINDS, type Anomaly, checkLastDay, withScan } from './scans/history.ts';
export { type NewestMoments, withMoment } from './scans/newest-moments.ts';
export {
  QualityScan,
  queuedScan,
  SCAN_STATUSES,
  ScanConfig,
  type ScanReport,
  type StoredScan,
} from './scans/records.ts';
export { removeOldScans } from './scans/remove-scans.ts';
export { reportAnomalies } from './scans/report-anomalies.ts';
export {
  KEPT_SCANS,
  latestScan,
  listScannedTables,
  MAX_SCANS,
  readScannedTable,
  type ScannedTableState,
  type ScanRepository,
  scanEndItems,
  scanRepository,
  showScans,
} from './scans/repository.ts';
export {
  dueScan,
  ScanSchedule,
  type ScanScheduleRepository,
  type StoredScanSchedule,
  scanOfJob,
  scanScheduleRepository,
  showScanSchedule,
} from './scans/schedules.ts';
export { historyKey, profileKey, readHistory, readProfile, writeCompact } from './scans/stored-profile.ts';
export { type VisibleProfile, visibilityOf, visibleProfile } from './scans/visible-profile.ts';
export { DIMENSIONS, type Dimension, scoreTables } from './scores/rules.ts';
export { type CurrentScore, currentScores, readTrend, recordScores, TREND_DAYS } from './scores/scores.ts';
export { recordSuggestions, showsValues, type TriedCandidate } from './suggestions/record-suggestions.ts';
export {
  type QualitySuggestion,
  type StoredSuggestion,
  SUGGESTION_STATUSES,
  showSuggestion,
  statusAt,
  suggestionProperties,
} from './suggestions/records.ts';
export { referenceCandidates } from './suggestions/reference-candidates.ts';
export { auditedSuggestions, type SuggestionRepository } from './suggestions/repository.ts';
export { type Cadence, type Candidate, type Reference, suggestTests } from './suggestions/rules.ts';
export {
  type CheckedTable,
  type FoundTable,
  findTable,
  type NamedTable,
  nameOfTable,
  ofTable,
  type TableDeps,
  tableKey,
} from './table.ts';
export { type CheckDeps, checkTest, referencedBy, seesAll } from './tests/check-test.ts';
export { testCopy } from './tests/copy.ts';
export {
  columnText,
  grammarOf,
  type QualityTestRecord,
  type StoredTest,
  showTest,
  TARGET_TYPES,
  tableOf,
  testProperties,
  testRecord,
} from './tests/records.ts';
export { listTests, type TestRepository, testRepository } from './tests/repository.ts';
export { testSchedule } from './tests/schedule.ts';
export { movedField, resolveTarget, type Target, type TargetDeps } from './tests/target.ts';
