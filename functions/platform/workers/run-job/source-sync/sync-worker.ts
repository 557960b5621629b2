import type { RefreshWorker } from '../dataset-refresh/refresh-worker.ts';

export interface SyncWorker
  extends Pick<RefreshWorker, 'table' | 'objects' | 'secrets' | 'guard' | 'ownBucket' | 'now'> {
  syncLimits: SyncLimits;
}

/** Limits of one catalogue, which is read as a whole. */
export interface SyncLimits {
  tables: number;
  columns: number;
}
