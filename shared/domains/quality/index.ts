/** The public API of this domain; everything else is internal. */
export { assertSeesAll, type CheckDeps, checkTest, seesAll } from './check-test.ts';
export { removeOldScans } from './remove-scans.ts';
export { QualityScan, SCAN_STATUSES, ScanConfig, type ScanReport, type StoredScan } from './scan-records.ts';
export {
  KEPT_SCANS,
  latestScan,
  MAX_SCANS,
  type ScanRepository,
  scanEndItems,
  scanRepository,
  shownScans,
} from './scan-repository.ts';
export { profileKey, readProfile, writeProfile } from './stored-profile.ts';
export {
  type CheckedTable,
  type FoundTable,
  findTable,
  type NamedTable,
  nameOfTable,
  type TableDeps,
  tableKey,
} from './table.ts';
export {
  grammarOf,
  type QualityTestRecord,
  type StoredTest,
  shownTest,
  TARGET_TYPES,
  testProperties,
  testRecord,
} from './test-records.ts';
export { listTests, MAX_TESTS, type TestRepository, testRepository } from './test-repository.ts';
export { testSchedule } from './test-schedule.ts';
export { movedTarget, resolveTarget, type Target, type TargetDeps } from './test-target.ts';
export { rightsTo, type VisibleProfile, visibleProfile } from './visible-profile.ts';
