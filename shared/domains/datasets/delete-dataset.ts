import type { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { AppError } from '../../platform/errors/app-error.ts';
import { failedConditions } from '../../platform/storage/collection.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';
import { FILES_STAY_MS } from './clean-up.ts';
import type { Dataset } from './record.ts';
import { datasetRepository } from './repository.ts';
import { holdingsItem, readStorageStats } from './storage-stats.ts';
import { grown, readStorageUsage, storageUsageItem } from './storage-usage.ts';

const MAX_TRIES = 8;

/**
 * Deletes a dataset as it was read: the meter sinks by all that it had stored, loads under way can no longer commit, and a
 * day later its files go. Throws `STALE_WRITE` when it has changed, or a condition of `also` does not hold.
 */
export async function deleteDataset(
  table: Table,
  dataset: Dataset,
  at: Date,
  also: TransactItem[] = [],
): Promise<void> {
  const { workspaceId, id } = dataset;
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const holdings = await readStorageStats(table, workspaceId, id);
    const usage = await readStorageUsage(table, workspaceId);
    const dueAt = new Date(at.getTime() + FILES_STAY_MS).toISOString();
    try {
      await datasetRepository(table).remove(dataset, 'STALE_WRITE', [
        holdingsItem(table, holdings, { bytes: 0, dueAt, deletedAt: at.toISOString() }),
        ...(holdings.bytes === 0
          ? []
          : [storageUsageItem(table, workspaceId, usage, grown(at, usage, -holdings.bytes))]),
        ...also,
      ]);
      return;
    } catch (cause) {
      const failed = failedConditions(cause);
      if (failed.size === 0) throw cause;
      const count = (cause as TransactionCanceledException).CancellationReasons!.length;
      if ([...failed].some((position) => position >= count - also.length)) throw new AppError('STALE_WRITE', { cause });
      // StorageStats or meter moved in between: read them again.
    }
  }
  throw new AppError('SERVICE_BUSY');
}
