/** The public API of this domain; everything else is internal. */
export { advanceBackfill } from './advance-backfill.ts';
export {
  BACKFILL_CHECK_PARTITION,
  backfillDays,
  claimBackfill,
  createBackfillRuns,
  MAX_QUEUED,
  runsOf,
  type StoredBackfill,
  startBackfillRuns,
} from './backfill.ts';
export { cancelBackfill } from './cancel-backfill.ts';
