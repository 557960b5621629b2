import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { RejectedRows } from '../../data/files/csv-source.ts';
import type { SampledResult } from '../../data/quality/gate-result.ts';
import { bytesOf, type DataFile, type DatasetColumn } from '../../data/tables/data-file.ts';
import type { SchemaChange } from '../../data/tables/schema-change.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { ObjectStore } from '../../platform/objects/object-store.ts';
import { failedConditions, toRecord } from '../../platform/storage/collection.ts';
import { later } from '../../platform/storage/ids.ts';
import { workspaceKey } from '../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';
import { transact } from '../../platform/storage/transact.ts';
import { updateOf } from '../../platform/storage/update.ts';
import { manifestItem } from './manifests.ts';
import type { Dataset, LoadMode, Manifest, VersionOrigin } from './record.ts';
import { datasetRepository } from './repository.ts';
import type { DatasetWatermark } from './source.ts';
import { readStorageLimit } from './storage-limit.ts';
import { addStorageStatsItem } from './storage-stats.ts';
import { grown, readStorageUsage, storageUsageItem } from './storage-usage.ts';

const MAX_TRIES = 8;

/** The content of a dataset after a load: files of versions that are there, and those that the load has stored. */
export interface Content {
  kept: readonly DataFile[];
  added: readonly DataFile[];
  columns: DatasetColumn[];
}

export interface Load extends Content {
  /** The dataset as it was read, or for a new one the record to create (version 0). */
  dataset: Dataset;
  isNew: boolean;
  /** Names the load whatever attempt does it, so that it takes effect once. */
  loadKey: string;
  mode: LoadMode;
  rowsLoaded: number;
  bytesLoaded: number;
  origin: VersionOrigin;
  /** How far the content goes, when it is read incrementally. */
  watermark?: DatasetWatermark | undefined;
  at: Date;
  /** Further writes of the same transaction: the fence of the attempt first, then watermarks. */
  fence: TransactItem;
  also?: TransactItem[];
  /** Another dataset that is there already, and moves in the same transaction. */
  beside?: Content & { dataset: Dataset };
  /** What is to be known of the load when it is found again. */
  gates?: readonly SampledResult[];
  schemaChanges?: readonly SchemaChange[];
  rejected?: RejectedRows | undefined;
}

/** What a load did; found again under its key when it is repeated. */
export interface CommittedLoad {
  loadKey: string;
  datasetId: string;
  version: number;
  rowsLoaded: number;
  bytesLoaded: number;
  rowCount: number;
  gates?: readonly SampledResult[];
  schemaChanges?: readonly SchemaChange[];
  /** Rows of the source that it left out. */
  rejected?: RejectedRows;
}

export type CommitOutcome =
  | { kind: 'committed'; load: CommittedLoad }
  /** Another load moved the dataset (or took its name): read it again and prepare the load anew. */
  | { kind: 'moved' }
  /** The attempt has been given up by the run; it must not write any more. */
  | { kind: 'fenced' }
  /** The workspace would hold more than the company's plan allows. */
  | { kind: 'full'; limitBytes: number };

const loadItemKey = (workspaceId: string, loadKey: string) => workspaceKey(workspaceId, 'LOAD', loadKey);

export async function findLoad(table: Table, workspaceId: string, loadKey: string): Promise<CommittedLoad | undefined> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: loadItemKey(workspaceId, loadKey), ConsistentRead: true }),
  );
  return found.Item && toRecord<CommittedLoad>(found.Item);
}

/** Keeps that a load into something else than a dataset is done; exists once. */
export function externalLoadItem(
  table: Table,
  workspaceId: string,
  done: { loadKey: string; rowsLoaded: number; bytesLoaded: number; sink: { kind: string; id: string } },
): TransactItem {
  return {
    Put: {
      TableName: table.name,
      Item: { ...loadItemKey(workspaceId, done.loadKey), entity: 'load', ...done },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** Holds while the load has not been committed. */
export function notLoadedItem(table: Table, workspaceId: string, loadKey: string): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: loadItemKey(workspaceId, loadKey),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/**
 * Makes the new version visible: manifest, pointer, load key, fence, watermarks and storage meter in one transaction, so
 * that readers see the old version or the new one, a repeated load does nothing, and a given-up attempt changes nothing.
 */
export async function commitLoad(table: Table, objects: ObjectStore, load: Load): Promise<CommitOutcome> {
  const { dataset, at } = load;
  const datasets = datasetRepository(table);
  const { beside } = load;
  const bytesAdded = bytesOf(load.added) + bytesOf(beside?.added ?? []);
  const next = nextOf(dataset, load, at);
  if (load.isNew) next.updatedAt = dataset.updatedAt;
  const done: CommittedLoad = {
    loadKey: load.loadKey,
    datasetId: dataset.id,
    version: next.version,
    rowsLoaded: load.rowsLoaded,
    bytesLoaded: load.bytesLoaded,
    rowCount: next.rowCount,
    ...(load.gates ? { gates: load.gates } : {}),
    ...(load.schemaChanges?.length ? { schemaChanges: load.schemaChanges } : {}),
    ...(load.rejected ? { rejected: load.rejected } : {}),
  };
  const manifest = await manifestItem(table, objects, manifestOf(load, next));
  const besides = beside ? await besideItems(table, objects, load, beside) : [];
  const limitBytes = await readStorageLimit(table, dataset.workspaceId);

  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const usage = await readStorageUsage(table, dataset.workspaceId);
    const after = grown(at, usage, bytesAdded);
    if (limitBytes !== null && bytesAdded > 0 && after.bytes > limitBytes) {
      const earlier = await findLoad(table, dataset.workspaceId, load.loadKey);
      return earlier ? { kind: 'committed', load: earlier } : { kind: 'full', limitBytes };
    }
    const items = [
      loadItem(table, load, done),
      load.fence,
      storageUsageItem(table, dataset.workspaceId, usage, after),
      manifest,
      addStorageStatsItem(table, dataset, bytesOf(load.added), at),
      ...besides,
      ...(load.also ?? []),
    ];
    const before = load.isNew ? 3 : 1;
    try {
      if (load.isNew) await datasets.create(next, items);
      else await transact(table, [pointerItem(table, dataset, next), ...items]);
      return { kind: 'committed', load: done };
    } catch (cause) {
      if (cause instanceof AppError && cause.code === 'DATASET_NAME_TAKEN') return { kind: 'moved' };
      const failed = failedConditions(cause);
      const earlier = failed.has(before) && (await findLoad(table, dataset.workspaceId, load.loadKey));
      if (earlier) return { kind: 'committed', load: earlier };
      if (failed.has(before + 1)) return { kind: 'fenced' };
      if (failed.has(0) || [...failed].some((index) => index > before + 2)) return { kind: 'moved' };
      // Only the meter moved, which every load of the workspace does: read it again.
      if (!failed.has(before + 2)) throw cause;
    }
  }
  throw new AppError('SERVICE_BUSY', { detail: 'Too many loads of the workspace ended at once.' });
}

/** The same for the dataset that moves along. */
async function besideItems(
  table: Table,
  objects: ObjectStore,
  load: Load,
  { dataset, ...content }: NonNullable<Load['beside']>,
): Promise<TransactItem[]> {
  const next = nextOf(dataset, content, load.at);
  const { watermark: _watermark, ...rest } = load;
  return [
    pointerItem(table, dataset, next),
    await manifestItem(table, objects, manifestOf({ ...rest, ...content, mode: 'append' }, next)),
    addStorageStatsItem(table, dataset, bytesOf(content.added), load.at),
  ];
}

function nextOf(dataset: Dataset, { kept, added, columns }: Content, at: Date): Dataset {
  const files = [...kept, ...added];
  return {
    ...dataset,
    version: dataset.version + 1,
    columns,
    rowCount: files.reduce((sum, file) => sum + file.rows, 0),
    sizeBytes: bytesOf(files),
    loadedAt: at.toISOString(),
    updatedAt: later(dataset.updatedAt, at),
  };
}

function pointerItem(table: Table, seen: Dataset, next: Dataset): TransactItem {
  const { version, columns, rowCount, sizeBytes, loadedAt, updatedAt } = next;
  return {
    Update: updateOf(
      table,
      datasetRepository(table).key(seen.workspaceId, seen.id),
      { set: { version, columns, rowCount, sizeBytes, loadedAt, updatedAt }, revise: true },
      { equals: { version: seen.version } },
    ),
  };
}

function loadItem(table: Table, load: Load, done: CommittedLoad): TransactItem {
  return {
    Put: {
      TableName: table.name,
      Item: { ...loadItemKey(load.dataset.workspaceId, load.loadKey), entity: 'load', ...done },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

function manifestOf(load: Omit<Load, 'dataset'>, next: Dataset): Manifest {
  return {
    datasetId: next.id,
    workspaceId: next.workspaceId,
    version: next.version,
    files: [...load.kept, ...load.added],
    columns: next.columns,
    rowCount: next.rowCount,
    sizeBytes: next.sizeBytes,
    mode: load.mode,
    origin: load.origin,
    ...(load.watermark ? { watermark: load.watermark } : {}),
    createdAt: load.at.toISOString(),
  };
}
