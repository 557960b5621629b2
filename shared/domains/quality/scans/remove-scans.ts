import { AppError } from '../../../platform/errors/app-error.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import type { StoredScan } from './records.ts';
import { KEPT_SCANS, MAX_SCANS, type ScanRepository } from './repository.ts';

const REMOVED_AT_ONCE = 100;

/**
 * Removes the oldest scans of a table and of the workspace beyond the maximum, except `kept`, the newest successful
 * one. Returns false if old scans of the table remain because the workspace has too many scans to read.
 */
export async function removeOldScans(
  { objects }: { objects: Pick<ObjectStore, 'remove'> },
  scans: ScanRepository,
  { workspaceId, tableKey, kept }: Pick<StoredScan, 'workspaceId' | 'tableKey'> & { kept: string | undefined },
): Promise<boolean> {
  const ofTable = await oldOfTable(scans, workspaceId, tableKey);
  const ofAll = await scans.list(workspaceId, { limit: REMOVED_AT_ONCE, offset: MAX_SCANS });
  const old = new Map([...(ofTable ?? []), ...ofAll.items].map((scan) => [scan.id, scan]));
  const ended = [...old.values()].filter(({ id, finishedAt }) => finishedAt !== null && id !== kept);
  await objects.remove(
    ended.flatMap(({ profileKey, historyKey }) => [profileKey, historyKey].filter((key) => key !== null)),
  );
  for (const scan of ended) await scans.remove(scan, 'STALE_WRITE').catch(ignoreRemoved);
  return ofTable !== undefined;
}

/** Undefined if the workspace has more scans than can be read; those of the workspace that are too old still go. */
async function oldOfTable(scans: ScanRepository, workspaceId: string, tableKey: string) {
  const matches = (scan: StoredScan) => scan.tableKey === tableKey;
  try {
    return (await scans.list(workspaceId, { limit: REMOVED_AT_ONCE, offset: KEPT_SCANS, matches })).items;
  } catch (error) {
    if (error instanceof AppError && error.code === 'LIST_TOO_LARGE') return undefined;
    throw error;
  }
}

/** The scan of another table has removed it at the same time. */
function ignoreRemoved(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'STALE_WRITE') throw error;
}
