import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { tries } from '../../../platform/concurrency/tries.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { newId } from '../../../platform/storage/ids.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { FILE_BATCH_HEAD, type FileWatch, fileBatchKey, watchCondition } from '../definition/index.ts';
import {
  type ArrivedFile,
  type Batch,
  type BatchPolicy,
  batchDueAt,
  type FileBatches,
  isNewer,
  newestOf,
  takeDueBatch,
  withFiles,
} from './file-batches.ts';

export const FILE_BATCH_PARTITION = 'file-batch';

/** How long an arrived file is recorded: to recognize repeated events, and for its run. */
const RETENTION_SECONDS = 100 * 24 * 60 * 60;

export interface Place {
  workspaceId: string;
  pipelineId: string;
}

const headKey = (place: Place): Key => fileBatchKey(place, FILE_BATCH_HEAD);
const seenKey = (place: Place, path: string): Key => fileBatchKey(place, `SEEN#${path}`);
const fileKey = (place: Place, batchId: string, path: string): Key => fileBatchKey(place, `FILE#${batchId}#${path}`);

export async function readFileBatches(table: Table, place: Place): Promise<FileBatches | undefined> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: headKey(place), ConsistentRead: true }),
  );
  return found.Item && toRecord<FileBatches>(found.Item);
}

/** Writes the head unless it has changed since it was read. */
function headItem(
  table: Table,
  place: Place,
  seen: FileBatches | undefined,
  next: FileBatches,
  dueAt?: Date,
): TransactItem {
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...headKey(place),
        entity: 'file-batch',
        ...next,
        ...(dueAt ? { due: FILE_BATCH_PARTITION, dueAt: dueAt.toISOString() } : {}),
      },
      ...(seen
        ? { ConditionExpression: 'version = :seen', ExpressionAttributeValues: { ':seen': seen.version } }
        : { ConditionExpression: 'attribute_not_exists(pk)' }),
    },
  };
}

/**
 * Adds files that match a pipeline's pattern to its open batch, at most ten at a time. Each version of a file counts
 * once, however often and in whatever order it is reported. Returns when the batch is due; undefined if nothing is new
 * or the batch waits for more files.
 */
export async function addFiles(
  table: Table,
  of: { workspaceId: string; sourceId: string; watch: FileWatch },
  arrived: readonly ArrivedFile[],
  now: Date,
): Promise<Date | undefined> {
  const place = { workspaceId: of.workspaceId, pipelineId: of.watch.pipelineId };
  for await (const _try of tries()) {
    const [batches, known] = await Promise.all([readFileBatches(table, place), readSeen(table, place, arrived)]);
    const fresh = newestOf(arrived).filter(({ path, sequencer }) => isNewer(sequencer, known.get(path)?.sequencer));
    if (fresh.length === 0) return undefined;
    const joining = fresh.filter(
      ({ path }) => batches?.open === undefined || known.get(path)?.batch !== batches.open.id,
    );
    const next = withFiles(batches, fresh, joining.length, now);
    const dueAt = batchDueAt(next, of.watch);
    try {
      await transact(table, [
        watchCondition(table, of.workspaceId, of.sourceId, of.watch),
        headItem(table, place, batches, next, dueAt && later(dueAt, now)),
        ...fresh.flatMap((file) => fileItems(table, place, next.open.id, file, now)),
      ]);
      return dueAt;
    } catch (cause) {
      const failed = failedConditions(cause);
      // The pipeline waits for other files now.
      if (failed.has(0)) return undefined;
      if (!failed.has(1)) throw cause;
    }
  }
  throw new AppError('SERVICE_BUSY', { detail: 'Too many files arrive at the same time; try again.' });
}

const later = (one: Date, other: Date) => (one > other ? one : other);

function fileItems(table: Table, place: Place, batch: string, file: ArrivedFile, now: Date): TransactItem[] {
  const expiresAt = Math.floor(now.getTime() / 1000) + RETENTION_SECONDS;
  const { path, version, sequencer } = file;
  return [
    {
      Put: {
        TableName: table.name,
        Item: { ...seenKey(place, path), entity: 'seen-file', sequencer, batch, expiresAt },
      },
    },
    {
      Put: {
        TableName: table.name,
        Item: {
          ...fileKey(place, batch, path),
          entity: 'arrived-file',
          path,
          ...(version === undefined ? {} : { version }),
          expiresAt,
        },
      },
    },
  ];
}

async function readSeen(
  table: Table,
  place: Place,
  arrived: readonly ArrivedFile[],
): Promise<Map<string, { sequencer: string; batch: string }>> {
  const found = new Map<string, { sequencer: string; batch: string }>();
  let keys: Key[] = [...new Set(arrived.map(({ path }) => path))].map((path) => seenKey(place, path));
  while (keys.length > 0) {
    const reply = await table.db.send(
      new BatchGetCommand({ RequestItems: { [table.name]: { Keys: keys, ConsistentRead: true } } }),
    );
    for (const item of reply.Responses?.[table.name] ?? []) {
      const { sequencer, batch } = item as { sequencer: string; batch: string };
      found.set((item.sk as string).slice('SEEN#'.length), { sequencer, batch });
    }
    keys = (reply.UnprocessedKeys?.[table.name]?.Keys ?? []) as Key[];
  }
  return found;
}

/** A due batch, and the items with which a run claims it. */
export interface BatchClaim {
  batch: Batch;
  /** Written with the run; fails if another file has joined the batch since. */
  acquire: TransactItem;
  /** Makes the batch due again; written in the transaction that removes a run whose start failed. */
  release: TransactItem;
}

/** Claims the batch that is due now; undefined if none is due. */
export function claimDueBatch(
  table: Table,
  place: Place,
  batches: FileBatches,
  policy: BatchPolicy,
  now: Date,
): BatchClaim | undefined {
  const due = takeDueBatch(batches, policy, now);
  if (!due) return undefined;
  const { batch, rest } = due;
  return {
    batch,
    acquire: headItem(table, place, batches, rest, batchDueAt(rest, policy)),
    release: {
      Update: {
        TableName: table.name,
        Key: headKey(place),
        UpdateExpression:
          'SET complete = list_append(if_not_exists(complete, :none), :batch), version = :version, entity = :entity, #due = :due, dueAt = :now',
        ExpressionAttributeNames: { '#due': 'due' },
        ExpressionAttributeValues: {
          ':none': [],
          ':batch': [batch],
          ':version': newId(now),
          ':entity': 'file-batch',
          ':due': FILE_BATCH_PARTITION,
          ':now': now.toISOString(),
        },
      },
    },
  };
}

/** Postpones a batch; the tick sends it again. */
export async function postponeFileBatch(table: Table, place: Place, seen: FileBatches, until: Date): Promise<void> {
  try {
    await table.db.send(
      new UpdateCommand(
        updateOf(
          table,
          headKey(place),
          { set: { due: FILE_BATCH_PARTITION, dueAt: until.toISOString() } },
          { equals: { version: seen.version } },
        ),
      ),
    );
  } catch (error) {
    // Another file has joined since and set a new due time.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** Drops the batches of a pipeline that no longer waits for files. */
export async function dropFileBatches(table: Table, place: Place): Promise<void> {
  await table.db.send(new DeleteCommand({ TableName: table.name, Key: headKey(place) }));
}

/** A file of a batch, in the version that arrived. */
export type BatchFile = Pick<ArrivedFile, 'path' | 'version'>;

/** The files of a batch, ordered by path. */
export async function filesOfBatch(table: Table, place: Place, batchId: string): Promise<BatchFile[]> {
  return Array.fromAsync(itemsBelow(table, fileKey(place, batchId, '')), (item) => {
    const { path, version } = item as unknown as BatchFile;
    return { path, ...(version === undefined ? {} : { version }) };
  });
}
