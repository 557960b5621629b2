import { AppError } from '../../platform/errors/app-error.ts';
import type { ObjectStore } from '../../platform/objects/object-store.ts';
import type { StoredScan } from './scan-records.ts';
import { KEPT_SCANS, MAX_SCANS, type ScanRepository } from './scan-repository.ts';

const REMOVED_AT_ONCE = 100;

/** Removes the oldest scans of a table, and of the workspace, beyond the number that is kept. */
export async function removeOldScans(
  { objects }: { objects: Pick<ObjectStore, 'remove'> },
  scans: ScanRepository,
  { workspaceId, tableKey }: Pick<StoredScan, 'workspaceId' | 'tableKey'>,
): Promise<void> {
  const ofTable = await scans.list(workspaceId, {
    limit: REMOVED_AT_ONCE,
    offset: KEPT_SCANS,
    matches: (scan) => scan.tableKey === tableKey,
  });
  const ofAll = await scans.list(workspaceId, { limit: REMOVED_AT_ONCE, offset: MAX_SCANS });
  const old = new Map([...ofTable.items, ...ofAll.items].map((scan) => [scan.id, scan]));
  const ended = [...old.values()].filter(({ finishedAt }) => finishedAt !== null);
  await objects.remove(
    ended.flatMap(({ profileKey, historyKey }) => [profileKey, historyKey].filter((key) => key !== null)),
  );
  for (const scan of ended) await scans.remove(scan, 'STALE_WRITE').catch(ignoreRemoved);
}

/** The scan of another table has removed it at the same time. */
function ignoreRemoved(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'STALE_WRITE') throw error;
}
