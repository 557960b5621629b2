import type { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { tries } from '../../../platform/concurrency/tries.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions } from '../../../platform/storage/transact.ts';
import { FILE_GRACE_MS } from './clean-up.ts';
import type { Dataset } from './record.ts';
import { datasetRepository } from './repository.ts';
import { readStorageStats, storageStatsItem } from './storage-stats.ts';
import { readStorageUsage, storageUsageItem, usageAfter } from './storage-usage.ts';

/**
 * Deletes a dataset and subtracts its files from the storage usage. Running loads can no longer commit, and the
 * clean-up deletes the files a day later. Throws `STALE_WRITE` if the dataset has changed or a condition of `also`
 * fails.
 */
export async function deleteDataset(
  table: Table,
  dataset: Dataset,
  at: Date,
  also: TransactItem[] = [],
): Promise<void> {
  const { workspaceId, id } = dataset;
  for await (const _try of tries()) {
    const stats = await readStorageStats(table, workspaceId, id);
    const usage = await readStorageUsage(table, workspaceId);
    const dueAt = new Date(at.getTime() + FILE_GRACE_MS).toISOString();
    try {
      await datasetRepository(table).remove(dataset, 'STALE_WRITE', [
        storageStatsItem(table, stats, { bytes: 0, dueAt, deletedAt: at.toISOString() }),
        ...(stats.bytes === 0
          ? []
          : [storageUsageItem(table, workspaceId, usage, usageAfter(at, usage, -stats.bytes))]),
        ...also,
      ]);
      return;
    } catch (cause) {
      const failed = failedConditions(cause);
      if (failed.size === 0) throw cause;
      const count = (cause as TransactionCanceledException).CancellationReasons!.length;
      if ([...failed].some((position) => position >= count - also.length)) throw new AppError('STALE_WRITE', { cause });
      // The storage stats or the usage have changed since: read them again.
    }
  }
  throw new AppError('SERVICE_BUSY');
}
