import type { DataFile } from '../../../data/tables/data-file.ts';
import { tries } from '../../../platform/concurrency/tries.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { removeLastRefreshItem } from './last-refresh.ts';
import { datasetPrefix, manifestKey, readAllVersions, type VersionWithFiles } from './manifests.ts';
import type { Dataset } from './record.ts';
import { datasetRepository } from './repository.ts';
import { expiryOf } from './retention.ts';
import { readStorageStats, removeStorageStatsItem, type StorageStats, storageStatsItem } from './storage-stats.ts';
import { readStorageUsage, storageUsageItem, usageAfter } from './storage-usage.ts';

/**
 * How long files stay after their last version has expired, and how old a file of no version must be. A function runs
 * for at most 15 minutes, so every reader of an expired manifest has finished by then.
 */
export const FILE_GRACE_MS = 24 * 60 * 60 * 1000;

const MIN_INTERVAL_MS = 60 * 60 * 1000;
/** Loads do not bring the next clean-up forward, so it must not be too far away. */
const MAX_INTERVAL_MS = 6 * 60 * 60 * 1000;
/** A transaction holds 100 writes. */
const MAX_AT_ONCE = 90;

interface CleanUpContext {
  table: Table;
  objects: ObjectStore;
  now: () => Date;
}

/**
 * Expires the versions of a dataset beyond its retention, unless something pins them, which lowers the storage usage. A
 * day later it deletes the files that no other version has, and the leftovers of abandoned loads. It removes everything
 * of a deleted dataset. It can be repeated, crash at any point, and run concurrently with itself or a load.
 */
export async function cleanUpDataset(context: CleanUpContext, workspaceId: string, datasetId: string): Promise<void> {
  const { table, objects } = context;
  const now = context.now();
  const seen = await readStorageStats(table, workspaceId, datasetId);
  const dataset = await datasetRepository(table).get(workspaceId, datasetId);
  const versions = await readAllVersions(table, objects, workspaceId, datasetId);
  const expiring = dataset ? expiringVersions(dataset, versions, now) : [];
  const expired = versions.filter(({ expiredAt }) => expiredAt ?? !dataset);
  const removable = expired.filter((version) => isPastGrace(version.expiredAt ?? seen.deletedAt, now));
  const remaining = versions.filter((version) => !removable.includes(version));

  const nextFileAt = await deleteFiles(context, workspaceId, datasetId, remaining, now);
  await deleteVersions(table, removable);
  const dueAt = nextCleanUpAt(dataset, remaining, nextFileAt, now);
  await commitCleanUp(context, seen, dataset, {
    expiring,
    freed: bytesFreed(remaining, expiring),
    ...(dueAt ? { dueAt } : {}),
  });
}

function expiringVersions(dataset: Dataset, versions: readonly VersionWithFiles[], now: Date): VersionWithFiles[] {
  const live = versions.filter(({ expiredAt }) => !expiredAt);
  const due = new Set(
    expiryOf(live, dataset.retention).flatMap(({ version, expiresAt }) =>
      expiresAt && expiresAt <= now && version !== dataset.version ? [version] : [],
    ),
  );
  return live.filter(({ version, pinnedBy }) => due.has(version) && !pinnedBy).slice(-MAX_AT_ONCE);
}

const isPastGrace = (since: string | undefined, now: Date): boolean =>
  since !== undefined && Date.parse(since) + FILE_GRACE_MS <= now.getTime();

/** The size of the files that only expiring versions have. Files of expired versions were subtracted before. */
function bytesFreed(versions: readonly VersionWithFiles[], expiring: readonly VersionWithFiles[]): number {
  const live = versions.filter((version) => !version.expiredAt && !expiring.includes(version));
  const kept = new Set(live.flatMap(({ files }) => files.map(({ key }) => key)));
  const freed = new Map<string, DataFile>();
  for (const file of expiring.flatMap(({ files }) => files)) if (!kept.has(file.key)) freed.set(file.key, file);
  return [...freed.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** Deletes day-old objects of the dataset that belong to no version. Returns when the next one will be a day old. */
async function deleteFiles(
  { objects }: CleanUpContext,
  workspaceId: string,
  datasetId: string,
  remaining: readonly VersionWithFiles[],
  now: Date,
): Promise<Date | undefined> {
  const used = new Set(
    remaining.flatMap(({ files, filesObject, watermark }) => [
      ...files.map(({ key }) => key),
      filesObject,
      watermark?.boundaryObject,
    ]),
  );
  let next: Date | undefined;
  const unused: string[] = [];
  for (const { key, updatedAt } of await objects.list(datasetPrefix(workspaceId, datasetId))) {
    if (used.has(key)) continue;
    const free = new Date(Date.parse(updatedAt) + FILE_GRACE_MS);
    if (free <= now) unused.push(key);
    else if (!next || free < next) next = free;
  }
  await objects.remove(unused);
  return next;
}

/** Called after the files are deleted: after a crash in between, the next clean-up finds the items and repeats this. */
async function deleteVersions(table: Table, versions: readonly VersionWithFiles[]): Promise<void> {
  for (let start = 0; start < versions.length; start += MAX_AT_ONCE) {
    const items = versions.slice(start, start + MAX_AT_ONCE).map(
      ({ workspaceId, datasetId, version }): TransactItem => ({
        Delete: { TableName: table.name, Key: manifestKey(workspaceId, datasetId, version) },
      }),
    );
    await transact(table, items);
  }
}

function nextCleanUpAt(
  dataset: Dataset | undefined,
  remaining: readonly VersionWithFiles[],
  nextFileAt: Date | undefined,
  now: Date,
): string | undefined {
  const live = remaining.filter(({ expiredAt }) => !expiredAt);
  // Nothing reports that a version is not pinned any more.
  const pinned = new Set(live.flatMap(({ version, pinnedBy }) => (pinnedBy ? [version] : [])));
  const instants = [
    ...(pinned.size > 0 ? [new Date(now.getTime() + MAX_INTERVAL_MS)] : []),
    ...(nextFileAt ? [nextFileAt] : []),
    ...remaining.flatMap(({ expiredAt }) => (expiredAt ? [new Date(Date.parse(expiredAt) + FILE_GRACE_MS)] : [])),
    ...(dataset
      ? expiryOf(live, dataset.retention).flatMap(({ version, expiresAt }) =>
          pinned.has(version) ? [] : (expiresAt ?? []),
        )
      : []),
    ...(!dataset && remaining.length > 0 ? [now] : []),
  ].map((instant) => instant.getTime());
  if (instants.length === 0) return undefined;
  const soonest = Math.max(Math.min(...instants), now.getTime() + MIN_INTERVAL_MS);
  return new Date(Math.min(soonest, now.getTime() + MAX_INTERVAL_MS)).toISOString();
}

/**
 * Marks the versions, lowers the storage usage and schedules the next clean-up in one transaction, which fails if a
 * load or another clean-up came first.
 */
async function commitCleanUp(
  { table, now }: CleanUpContext,
  seen: StorageStats,
  dataset: Dataset | undefined,
  outcome: { expiring: readonly VersionWithFiles[]; freed: number; dueAt?: string },
): Promise<void> {
  const { workspaceId } = seen;
  const { freed, dueAt } = outcome;
  const at = now();
  const next = {
    bytes: seen.bytes - freed,
    ...(dueAt ? { dueAt } : {}),
    ...(seen.deletedAt ? { deletedAt: seen.deletedAt } : {}),
  };
  const items = [
    dueAt || dataset ? storageStatsItem(table, seen, next) : removeStorageStatsItem(table, seen),
    ...(dueAt || dataset ? [] : [removeLastRefreshItem(table, workspaceId, seen.datasetId)]),
    ...(dataset ? [sameVersionItem(table, dataset)] : []),
    ...outcome.expiring.map((version) => expireItem(table, version, at)),
  ];
  for await (const _try of tries()) {
    const usage = await readStorageUsage(table, workspaceId);
    const usageItems = freed === 0 ? [] : [storageUsageItem(table, workspaceId, usage, usageAfter(at, usage, -freed))];
    try {
      await transact(table, [...items, ...usageItems]);
      return;
    } catch (cause) {
      const failed = failedConditions(cause);
      if (failed.size === 0) throw cause;
      // The dataset has changed. The next clean-up, which stays due, does the rest.
      if ([...failed].some((index) => index < items.length)) return;
    }
  }
}

/** Fails the transaction after a load or a restore, which could make expiring files current again. */
function sameVersionItem(table: Table, { workspaceId, id, version }: Dataset): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: datasetRepository(table).key(workspaceId, id),
      ConditionExpression: '#version = :version',
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: { ':version': version },
    },
  };
}

function expireItem(table: Table, { workspaceId, datasetId, version }: VersionWithFiles, at: Date): TransactItem {
  const key = manifestKey(workspaceId, datasetId, version);
  return {
    Update: updateOf(
      table,
      key,
      { set: { expiredAt: at.toISOString() } },
      { absent: ['expiredAt', 'pinnedBy'], exists: ['pk'] },
    ),
  };
}
