/** The public API of this domain; everything else is internal. */
export {
  type ClassStates,
  classStates,
  type HistoryEntry,
  NOTICE_PARTITIONS,
  type PendingEdge,
  RuleChangedError,
  type StoredClass,
  type StoredHistory,
  stateOfItem,
} from './class-states.ts';
export { alertCleanUps, type EndedAlert } from './end-alerts.ts';
export { ALERT_REQUESTS, SNOOZE_PARTITIONS, snoozeKey, snoozeOfItem, snoozePartition } from './keys.ts';
export { type AlertNotice, type AlertNotices, alertNotices } from './notices.ts';
export {
  type AlertChannels,
  type AlertRecord,
  AlertRepeat,
  addressesIn,
  alertChannels,
  alertProperties,
  groupsIn,
  MAX_ALERTS,
  MAX_CLASSES,
  peopleIn,
  RUN_AS,
  type RunAs,
  repeatMsOf,
  SEVERITIES,
  type Severity,
  STOP_REASONS,
  type StopReason,
  sharesRows,
  takesFollowers,
  usesOfAlert,
} from './records.ts';
export { REFRESH_GAP_MS, type Refresh, refreshTimes } from './refreshes.ts';
export { type AlertRepository, alertRepository, presentAlert } from './repository.ts';
export {
  ALERT_PARTITIONS,
  evaluationTimeIssues,
  isDueAt,
  nextDueAt,
  nextEvaluationAt,
  TOO_FREQUENT,
} from './rule-times.ts';
export { ALERT_USES } from './uses.ts';
