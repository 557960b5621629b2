/** The public API of this domain; everything else is internal. */

export { checkScanConfig } from './check-scan-config.ts';
export { type CheckDeps, checkTest, referencedBy, seesAll } from './check-test.ts';
export { cronProperties, readCron } from './cron-schedule.ts';
export { FRESHNESS_STATUSES, freshnessOf } from './freshness.ts';
export {
  ISSUE_STATUSES,
  ISSUE_TYPES,
  type IssueStatus,
  type IssueType,
  issueProperties,
  MAX_CHANGES,
  type QualityIssue,
} from './issue-records.ts';
export { auditedIssues, edgeItems, type IssueRepository, issueRepository } from './issue-repository.ts';
export { afterDecision, type Decision, type Finding, type IssuePlace } from './issue-rules.ts';
export { type NewestMoments, withMoment } from './newest-moments.ts';
export { isProtected } from './protected-table.ts';
export { publishCheck, type QualityCheck } from './publish-check.ts';
export { PublishGate, readPublishGate, updatePublishGate } from './publish-gate.ts';
export { type FindingDeps, recordFinding, recordResolved } from './record-finding.ts';
export {
  issuePlaces,
  latestResult,
  listRuns,
  RUN_DAYS,
  recordedRuns,
  recordRun,
  removeLatestItem,
  runIdOf,
} from './record-run.ts';
export { recordSuggestions, showsValues, type TriedCandidate } from './record-suggestions.ts';
export { referenceCandidates } from './reference-candidates.ts';
export { removeOldScans } from './remove-scans.ts';
export { reportAnomalies } from './report-anomalies.ts';
export {
  ALL_TESTS,
  type FailingRowsInput,
  isRun,
  manualTrigger,
  QUALITY_JOB,
  type RunInput,
  TRIGGERS,
} from './run-input.ts';
export { runOf } from './run-of-test.ts';
export {
  type QualityRun,
  RUN_STATUSES,
  RUN_TRIGGERS,
  type RunTrigger,
  runProperties,
  Sample,
  type StoredRun,
} from './run-records.ts';
export { ANOMALY_KINDS, type Anomaly, checkLastDay, withScan } from './scan-history.ts';
export {
  QualityScan,
  queuedScan,
  SCAN_STATUSES,
  ScanConfig,
  type ScanReport,
  type StoredScan,
} from './scan-records.ts';
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
} from './scan-repository.ts';
export {
  dueScan,
  ScanSchedule,
  type ScanScheduleRepository,
  type StoredScanSchedule,
  scanOfJob,
  scanScheduleRepository,
  showScanSchedule,
} from './scan-schedules.ts';
export { DIMENSIONS, type Dimension, scoreTables } from './score-rules.ts';
export { type CurrentScore, currentScores, readTrend, recordScores, TREND_DAYS } from './scores.ts';
export { startRun, startRunAfterSync } from './start-run.ts';
export { historyKey, profileKey, readHistory, readProfile, writeCompact } from './stored-profile.ts';
export {
  type QualitySuggestion,
  type StoredSuggestion,
  SUGGESTION_STATUSES,
  showSuggestion,
  statusAt,
  suggestionProperties,
} from './suggestion-records.ts';
export { auditedSuggestions, type SuggestionRepository } from './suggestion-repository.ts';
export { type Cadence, type Candidate, type Reference, suggestTests } from './suggestion-rules.ts';
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
export { testCopy } from './test-copy.ts';
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
} from './test-records.ts';
export { listTests, type TestRepository, testRepository } from './test-repository.ts';
export { testSchedule } from './test-schedule.ts';
export { movedField, resolveTarget, type Target, type TargetDeps } from './test-target.ts';
export { untrustedTables } from './untrusted-tables.ts';
export { type VisibleProfile, visibilityOf, visibleProfile } from './visible-profile.ts';
