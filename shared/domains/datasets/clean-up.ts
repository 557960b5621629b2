import type { DataFile } from '../../data/tables/data-file.ts';
import type { ObjectStore } from '../../platform/objects/object-store.ts';
import { failedConditions } from '../../platform/storage/collection.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';
import { transact } from '../../platform/storage/transact.ts';
import { updateOf } from '../../platform/storage/update.ts';
import { noLastRefreshItem } from './last-refresh.ts';
import { datasetPrefix, manifestKey, readAllVersions, type VersionWithFiles } from './manifests.ts';
import type { Dataset } from './record.ts';
import { datasetRepository } from './repository.ts';
import { expiryOf } from './retention.ts';
import { holdingsItem, noStorageStatsItem, readStorageStats, type StorageStats } from './storage-stats.ts';
import { grown, readStorageUsage, storageUsageItem } from './storage-usage.ts';

/**
 * How long files stay after the last version with them has expired, and how old one must be that belongs to no version.
 * No function lives longer than 15 minutes: whoever read the manifest before has long finished with its files.
 */
export const FILES_STAY_MS = 24 * 60 * 60 * 1000;

const SOONEST_MS = 60 * 60 * 1000;
/** Loads do not bring the next look forward, so it must not be too far. */
const LATEST_MS = 6 * 60 * 60 * 1000;
/** A transaction holds 100 writes. */
const MAX_AT_ONCE = 90;

interface CleanUpContext {
  table: Table;
  objects: ObjectStore;
  now: () => Date;
}

/**
 * Lets go what a dataset need not keep: versions beyond its retention expire, which lowers the storage meter; a day later
 * the files that no other version has are deleted, and with them what given-up loads have left. Of a deleted dataset
 * nothing stays. May be repeated, die anywhere and run beside its twin or a load.
 */
export async function cleanUpDataset(context: CleanUpContext, workspaceId: string, datasetId: string): Promise<void> {
  const { table, objects } = context;
  const now = context.now();
  const seen = await readStorageStats(table, workspaceId, datasetId);
  const dataset = await datasetRepository(table).get(workspaceId, datasetId);
  const versions = await readAllVersions(table, objects, workspaceId, datasetId);
  const expiring = dataset ? expiringVersions(dataset, versions, now) : [];
  const expired = versions.filter(({ expiredAt }) => expiredAt ?? !dataset);
  const gone = expired.filter((version) => isLongGone(version.expiredAt ?? seen.deletedAt, now));
  const staying = versions.filter((version) => !gone.includes(version));

  const waiting = await deleteFiles(context, workspaceId, datasetId, staying, now);
  await deleteVersions(table, gone);
  const dueAt = nextLook(dataset, staying, waiting, now);
  await settle(context, seen, dataset, {
    expiring,
    freed: bytesFreed(staying, expiring),
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
  return live.filter(({ version }) => due.has(version)).slice(-MAX_AT_ONCE);
}

const isLongGone = (since: string | undefined, now: Date): boolean =>
  since !== undefined && Date.parse(since) + FILES_STAY_MS <= now.getTime();

/** What the versions that expire had alone: files of live versions are live, those of expired ones are counted no more. */
function bytesFreed(versions: readonly VersionWithFiles[], expiring: readonly VersionWithFiles[]): number {
  const live = versions.filter((version) => !version.expiredAt && !expiring.includes(version));
  const kept = new Set(live.flatMap(({ files }) => files.map(({ key }) => key)));
  const freed = new Map<string, DataFile>();
  for (const file of expiring.flatMap(({ files }) => files)) if (!kept.has(file.key)) freed.set(file.key, file);
  return [...freed.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** Deletes objects of the dataset that belong to no version and are a day old. Answers when the next one will be. */
async function deleteFiles(
  { objects }: CleanUpContext,
  workspaceId: string,
  datasetId: string,
  staying: readonly VersionWithFiles[],
  now: Date,
): Promise<Date | undefined> {
  const used = new Set(
    staying.flatMap(({ files, filesObject, watermark }) => [
      ...files.map(({ key }) => key),
      filesObject,
      watermark?.boundaryObject,
    ]),
  );
  let next: Date | undefined;
  const dead: string[] = [];
  for (const { key, updatedAt } of await objects.list(datasetPrefix(workspaceId, datasetId))) {
    if (used.has(key)) continue;
    const free = new Date(Date.parse(updatedAt) + FILES_STAY_MS);
    if (free <= now) dead.push(key);
    else if (!next || free < next) next = free;
  }
  await objects.remove(dead);
  return next;
}

/** After their files: should this die in between, the next look finds the items and does it again. */
async function deleteVersions(table: Table, gone: readonly VersionWithFiles[]): Promise<void> {
  for (let start = 0; start < gone.length; start += MAX_AT_ONCE) {
    const items = gone.slice(start, start + MAX_AT_ONCE).map(
      ({ workspaceId, datasetId, version }): TransactItem => ({
        Delete: { TableName: table.name, Key: manifestKey(workspaceId, datasetId, version) },
      }),
    );
    await transact(table, items);
  }
}

function nextLook(
  dataset: Dataset | undefined,
  staying: readonly VersionWithFiles[],
  waiting: Date | undefined,
  now: Date,
): string | undefined {
  const live = staying.filter(({ expiredAt }) => !expiredAt);
  const instants = [
    ...(waiting ? [waiting] : []),
    ...staying.flatMap(({ expiredAt }) => (expiredAt ? [new Date(Date.parse(expiredAt) + FILES_STAY_MS)] : [])),
    ...(dataset ? expiryOf(live, dataset.retention).flatMap(({ expiresAt }) => expiresAt ?? []) : []),
    ...(!dataset && staying.length > 0 ? [now] : []),
  ].map((instant) => instant.getTime());
  if (instants.length === 0) return undefined;
  const soonest = Math.max(Math.min(...instants), now.getTime() + SOONEST_MS);
  return new Date(Math.min(soonest, now.getTime() + LATEST_MS)).toISOString();
}

const MAX_TRIES = 8;

/** One transaction marks the versions, lowers the meter and plans the next look; a load or a twin in between undoes it all. */
async function settle(
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
    dueAt || dataset ? holdingsItem(table, seen, next) : noStorageStatsItem(table, seen),
    ...(dueAt || dataset ? [] : [noLastRefreshItem(table, workspaceId, seen.datasetId)]),
    ...(dataset ? [unmovedItem(table, dataset)] : []),
    ...outcome.expiring.map((version) => expireItem(table, version, at)),
  ];
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const usage = await readStorageUsage(table, workspaceId);
    const meter = freed === 0 ? [] : [storageUsageItem(table, workspaceId, usage, grown(at, usage, -freed))];
    try {
      await transact(table, [...items, ...meter]);
      return;
    } catch (cause) {
      const failed = failedConditions(cause);
      if (failed.size === 0) throw cause;
      // Somebody else changed the dataset: what is left to do is found at the next look, which stays due.
      if ([...failed].some((index) => index < items.length)) return;
    }
  }
}

/** No load and no restore in between: both would make files live that are taken for dead here. */
function unmovedItem(table: Table, { workspaceId, id, version }: Dataset): TransactItem {
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
    Update: updateOf(table, key, { set: { expiredAt: at.toISOString() } }, { absent: ['expiredAt'], exists: ['pk'] }),
  };
}
