/** The public API of this domain; everything else is internal. */
export {
  DIGESTS,
  type DigestContent,
  DigestMail,
  type DigestRecord,
  DigestRun,
  digestProperties,
  MAX_RECIPIENTS,
  STOP_REASONS,
  type StopReason,
  type StoredDigestMail,
} from './digest-records.ts';
export { type DigestRepository, digestDelivery, digestRepository } from './digest-repository.ts';
export { DIGEST_USES } from './digest-uses.ts';
export { sweepCleanUps } from './end-sweeps.ts';
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
