import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ChangedValues } from '../../../data/files/changed-values.ts';
import type { RejectedRows } from '../../../data/files/csv-source.ts';
import type { SampledResult } from '../../../data/quality/gate-result.ts';
import { bytesOf, type DataFile, type DatasetColumn } from '../../../data/tables/data-file.ts';
import type { SchemaChange } from '../../../data/tables/schema-change.ts';
import { type Patience, tries } from '../../../platform/concurrency/tries.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { later } from '../../../platform/storage/ids.ts';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, onlyConflicts, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { monthOf, readTerms, reportBudget, type UsageTerms } from '../../tenancy/usage/index.ts';
import { manifestItem } from './manifests.ts';
import type { Dataset, LoadMode, Manifest, VersionOrigin } from './record.ts';
import { datasetRepository } from './repository.ts';
import type { DatasetWatermark } from './source.ts';
import { addStorageStatsItem } from './storage-stats.ts';
import { peakIn, readStorageUsage, storageUsageItem, usageAfter } from './storage-usage.ts';

/** The content of a dataset after a load: files kept from earlier versions, and files that the load has stored. */
export interface Content {
  kept: readonly DataFile[];
  added: readonly DataFile[];
  columns: DatasetColumn[];
}

export interface Load extends Content {
  /** The dataset as it was read, or for a new one the record to create (version 0). */
  dataset: Dataset;
  isNew: boolean;
  /** The same for every attempt at the load, so that it takes effect once. */
  loadKey: string;
  mode: LoadMode;
  rowsLoaded: number;
  bytesLoaded: number;
  origin: VersionOrigin;
  /** The position up to which an incremental read has got. */
  watermark?: DatasetWatermark | undefined;
  at: Date;
  /** Further writes of the same transaction: the fence of the attempt first, then watermarks. */
  fence: TransactItem;
  also?: TransactItem[];
  /** Another, existing dataset that gets its next version in the same transaction. */
  companion?: Content & { dataset: Dataset };
  /** Stored with the load, for the reply to a repeated load. */
  gates?: readonly SampledResult[];
  schemaChanges?: readonly SchemaChange[];
  rejected?: RejectedRows | undefined;
  changedValues?: ChangedValues[] | undefined;
}

/** The result of a load, stored under its key so that a repetition finds it. */
export interface CommittedLoad {
  loadKey: string;
  datasetId: string;
  version: number;
  rowsLoaded: number;
  bytesLoaded: number;
  rowCount: number;
  gates?: readonly SampledResult[];
  schemaChanges?: readonly SchemaChange[];
  /** Rows of the source that the load left out. */
  rejected?: RejectedRows;
  /** Values of the source that could not be kept exactly. */
  changedValues?: ChangedValues[];
}

export type CommitOutcome =
  | { kind: 'committed'; load: CommittedLoad }
  /** Another load has changed the dataset (or taken its name): read it and prepare the load again. */
  | { kind: 'moved' }
  /** The run has given up the attempt, which must not write any more. */
  | { kind: 'fenced' }
  /** The workspace would store more than the company's plan allows. */
  | { kind: 'full'; limitBytes: number; wantedBytes: number };

const loadItemKey = (workspaceId: string, loadKey: string) => workspaceKey(workspaceId, 'LOAD', loadKey);

export async function findLoad(table: Table, workspaceId: string, loadKey: string): Promise<CommittedLoad | undefined> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: loadItemKey(workspaceId, loadKey), ConsistentRead: true }),
  );
  return found.Item && toRecord<CommittedLoad>(found.Item);
}

/** Records that a load into a target other than a dataset is done. Fails if the record exists. */
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

/** Fails the transaction if the load has been committed. */
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
 * Makes the new version visible. Manifest, pointer, load key, fence, watermarks and storage usage change in one
 * transaction: readers see either the old version or the new one, a repeated load takes effect once, and an attempt
 * that the run has given up changes nothing.
 *
 * Loads into other datasets of the workspace change the storage usage, too: they wait for each other as long as
 * `patience` allows. Then it throws `SERVICE_BUSY`.
 */
export async function commitLoad(
  table: Table,
  objects: ObjectStore,
  load: Load,
  patience: Patience = {},
): Promise<CommitOutcome> {
  const terms = await readTerms(table, load.dataset.workspaceId, 'warehouse');
  const outcome = await commit(table, objects, load, { limitBytes: terms?.cap ?? null, patience });
  if (terms) await reportStorageBudget(table, load, terms, outcome);
  return outcome;
}

/** A load that a cap rejects is reported as well: without it, the workspace would have crossed its budget. */
async function reportStorageBudget(table: Table, load: Load, terms: UsageTerms, outcome: CommitOutcome): Promise<void> {
  if (terms.budget === null || (outcome.kind !== 'committed' && outcome.kind !== 'full')) return;
  const { workspaceId } = load.dataset;
  const stored = peakIn(monthOf(load.at), await readStorageUsage(table, workspaceId));
  const used = outcome.kind === 'full' ? Math.max(stored, outcome.wantedBytes) : stored;
  await reportBudget(table, { workspaceId, product: 'warehouse', used }, terms, load.at);
}

async function commit(
  table: Table,
  objects: ObjectStore,
  load: Load,
  { limitBytes, patience }: { limitBytes: number | null; patience: Patience },
): Promise<CommitOutcome> {
  const { dataset, at, companion } = load;
  const bytesAdded = bytesOf(load.added) + bytesOf(companion?.added ?? []);
  const next = nextOf(dataset, load, at);
  if (load.isNew) next.updatedAt = dataset.updatedAt;
  const done = committedLoadOf(load, next);
  const manifest = await manifestItem(table, objects, manifestOf(load, next));
  const companionWrites = companion ? await companionItems(table, objects, load, companion) : [];

  for await (const _try of tries(patience)) {
    const usage = await readStorageUsage(table, dataset.workspaceId);
    const after = usageAfter(at, usage, bytesAdded);
    if (limitBytes !== null && bytesAdded > 0 && after.bytes > limitBytes) {
      return (await earlierCommit(table, load)) ?? { kind: 'full', limitBytes, wantedBytes: after.bytes };
    }
    try {
      await writeVersion(table, load, next, [
        loadItem(table, load, done),
        load.fence,
        storageUsageItem(table, dataset.workspaceId, usage, after),
        manifest,
        addStorageStatsItem(table, dataset, bytesOf(load.added), at),
        ...companionWrites,
        ...(load.also ?? []),
      ]);
      return { kind: 'committed', load: done };
    } catch (cause) {
      const outcome = await outcomeOfFailure(table, load, cause);
      if (outcome) return outcome;
    }
  }
  throw new AppError('SERVICE_BUSY', { detail: 'Too many loads of the workspace ended at once.' });
}

function committedLoadOf(load: Load, next: Dataset): CommittedLoad {
  return {
    loadKey: load.loadKey,
    datasetId: next.id,
    version: next.version,
    rowsLoaded: load.rowsLoaded,
    bytesLoaded: load.bytesLoaded,
    rowCount: next.rowCount,
    ...(load.gates ? { gates: load.gates } : {}),
    ...(load.schemaChanges?.length ? { schemaChanges: load.schemaChanges } : {}),
    ...(load.rejected ? { rejected: load.rejected } : {}),
    ...(load.changedValues ? { changedValues: load.changedValues } : {}),
  };
}

/**
 * Creates the dataset or moves its pointer, together with `items`, which begin with load key, fence and storage usage.
 */
async function writeVersion(table: Table, load: Load, next: Dataset, items: TransactItem[]): Promise<void> {
  if (load.isNew) await datasetRepository(table).create(next, items);
  else await transact(table, [pointerItem(table, load.dataset, next), ...items]);
}

/** What a failed transaction means for the load; undefined if it can be tried again as it is. Rethrows other errors. */
async function outcomeOfFailure(table: Table, load: Load, cause: unknown): Promise<CommitOutcome | undefined> {
  if (cause instanceof AppError && cause.code === 'DATASET_NAME_TAKEN') return { kind: 'moved' };
  const failed = failedConditions(cause);
  // A new dataset takes three writes (see `create` of the collection), an existing one only its pointer.
  const loadKeyIndex = load.isNew ? 3 : 1;
  const fenceIndex = loadKeyIndex + 1;
  const usageIndex = loadKeyIndex + 2;
  const earlier = failed.has(loadKeyIndex) && (await earlierCommit(table, load));
  if (earlier) return earlier;
  if (failed.has(fenceIndex)) return { kind: 'fenced' };
  if (failed.has(0) || [...failed].some((index) => index > usageIndex)) return { kind: 'moved' };
  // Every load of the workspace moves the storage usage; if only that has changed, the next try reads it again.
  if (!failed.has(usageIndex) && !onlyConflicts(cause)) throw cause;
  return undefined;
}

async function earlierCommit(table: Table, load: Load): Promise<CommitOutcome | undefined> {
  const earlier = await findLoad(table, load.dataset.workspaceId, load.loadKey);
  return earlier && { kind: 'committed', load: earlier };
}

async function companionItems(
  table: Table,
  objects: ObjectStore,
  load: Load,
  { dataset, ...content }: NonNullable<Load['companion']>,
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
