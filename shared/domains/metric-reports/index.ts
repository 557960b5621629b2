/** The public API of this domain; everything else is internal. */
export {
  type DigestContent,
  DigestMail,
  type DigestMember,
  type DigestRecord,
  DigestRun,
  digestProperties,
  MAX_RECIPIENTS,
  type SkipReason,
  STOP_REASONS,
  type StopReason,
  type StoredMail,
  type StoredRun,
} from './digest-records.ts';
export { type DigestRepository, digestRepository } from './digest-repository.ts';
export { type DigestRuns, digestRuns, type MailPlace, type RunPlace, scheduledRunId } from './digest-runs.ts';
export {
  DIGEST_PARTITIONS,
  digestScheduleIssues,
  isPlanned,
  nextDigestAt,
  previousDigestAt,
} from './digest-schedule.ts';
export { isStillMember, type Memberships, stopReason } from './digest-state.ts';
export { type MetricMessage, type MetricQueue, metricQueue } from './queue.ts';
export {
  DetectedAnomaly,
  FEEDBACK,
  planSweep,
  removeSweep,
  type StoredSweep,
  SWEEP_PARTITIONS,
  Sweep,
  type SweepStore,
  sweepStore,
} from './sweeps.ts';
export { type Subscription, type UnsubscribeTokens, unsubscribeTokens } from './unsubscribe-token.ts';
