import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../errors/app-error.ts';
import { failedConditions, toRecord } from '../storage/collection.ts';
import { later } from '../storage/ids.ts';
import { workspaceKey } from '../storage/keys.ts';
import type { Table, TransactItem } from '../storage/table.ts';
import { transact } from '../storage/transact.ts';
import { updateOf } from '../storage/update.ts';
import type { DataFile, Dataset, DatasetColumn, LoadMode, Manifest } from './record.ts';
import { datasetRepository, manifestKey } from './repository.ts';
import { grown, readStorageUsage, storageUsageItem } from './storage-usage.ts';

const MOST_TRIES = 8;

export interface Load {
  /** The dataset as it was read, or for a new one the record to create (version 0). */
  dataset: Dataset;
  isNew: boolean;
  /** Names the load whatever attempt does it, so that it takes effect once. */
  loadKey: string;
  mode: LoadMode;
  /** The content after the load. */
  files: DataFile[];
  columns: DatasetColumn[];
  rowsLoaded: number;
  bytesLoaded: number;
  pipelineId: string;
  runId: string;
  stepId: string;
  at: Date;
  /** Further writes of the same transaction: the fence of the attempt first, then watermarks. */
  fence: TransactItem;
  also?: TransactItem[];
}

/** What a load did; found again under its key when it is repeated. */
export interface CommittedLoad {
  loadKey: string;
  datasetId: string;
  version: number;
  rowsLoaded: number;
  bytesLoaded: number;
  rowCount: number;
}

export type CommitOutcome =
  | { kind: 'committed'; load: CommittedLoad }
  /** Another load moved the dataset (or took its name): read it again and prepare the load anew. */
  | { kind: 'moved' }
  /** The attempt has been given up by the run; it must not write any more. */
  | { kind: 'fenced' };

const loadItemKey = (workspaceId: string, loadKey: string) => workspaceKey(workspaceId, 'LOAD', loadKey);

export async function findLoad(table: Table, workspaceId: string, loadKey: string): Promise<CommittedLoad | undefined> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: loadItemKey(workspaceId, loadKey), ConsistentRead: true }),
  );
  return found.Item && toRecord<CommittedLoad>(found.Item);
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
export async function commitLoad(table: Table, load: Load): Promise<CommitOutcome> {
  const { dataset, at } = load;
  const datasets = datasetRepository(table);
  const next: Dataset = {
    ...dataset,
    version: dataset.version + 1,
    columns: load.columns,
    rowCount: load.files.reduce((sum, file) => sum + file.rows, 0),
    sizeBytes: load.files.reduce((sum, file) => sum + file.sizeBytes, 0),
    loadedAt: at.toISOString(),
    updatedAt: load.isNew ? dataset.updatedAt : later(dataset.updatedAt, at),
  };
  const done: CommittedLoad = {
    loadKey: load.loadKey,
    datasetId: dataset.id,
    version: next.version,
    rowsLoaded: load.rowsLoaded,
    bytesLoaded: load.bytesLoaded,
    rowCount: next.rowCount,
  };

  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const usage = await readStorageUsage(table, dataset.workspaceId);
    const month = at.toISOString().slice(0, 7);
    const meter = storageUsageItem(
      table,
      dataset.workspaceId,
      usage,
      grown(month, usage, next.sizeBytes - dataset.sizeBytes),
    );
    const items = [
      loadItem(table, load, done),
      load.fence,
      meter,
      manifestItem(table, load, next),
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

function pointerItem(table: Table, seen: Dataset, next: Dataset): TransactItem {
  const { version, columns, rowCount, sizeBytes, loadedAt, updatedAt } = next;
  return {
    Update: updateOf(
      table,
      datasetRepository(table).key(seen.workspaceId, seen.id),
      { set: { version, columns, rowCount, sizeBytes, loadedAt, updatedAt } },
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

function manifestItem(table: Table, load: Load, next: Dataset): TransactItem {
  const manifest: Manifest = {
    datasetId: next.id,
    workspaceId: next.workspaceId,
    version: next.version,
    files: load.files,
    columns: next.columns,
    rowCount: next.rowCount,
    sizeBytes: next.sizeBytes,
    mode: load.mode,
    pipelineId: load.pipelineId,
    runId: load.runId,
    stepId: load.stepId,
    createdAt: load.at.toISOString(),
  };
  return {
    Put: {
      TableName: table.name,
      Item: { ...manifestKey(next.workspaceId, next.id, next.version), entity: 'dataset-version', ...manifest },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}
