import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { failedConditions } from '../../platform/storage/collection.ts';
import { type Key, workspaceKey } from '../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';
import { transact } from '../../platform/storage/transact.ts';
import { updateOf } from '../../platform/storage/update.ts';
import { grown, readStorageUsage, storageUsageItem } from '../datasets/index.ts';
import type { StatePlace } from './state.ts';

export const TENDING_SHARDS = 4;
/** Partitions of the due index in which streams lie at the instant at which they are tended next. */
export const maintenanceShard = (shard: number): string => `cdc-tending#${shard}`;

const MAX_TRIES = 8;

/** What a stream has stored as far as it was metered. It outlives the stream until nothing of that is left. */
interface Maintenance {
  /** Counted by the workspace's storage meter. */
  bytes: number;
  /** When the stream was seen to be gone. */
  goneAt?: string;
}

const maintenanceKey = ({ workspaceId, id }: StatePlace): Key =>
  workspaceKey(workspaceId, `CDC-STREAM#${id}`, 'TENDING');

/** Belongs into the transaction that creates a stream. */
export function newMaintenanceItem(table: Table, place: StatePlace, at: string): TransactItem {
  const due = maintenanceShard(Number.parseInt(place.id.slice(-2), 16) % TENDING_SHARDS);
  return {
    Put: {
      TableName: table.name,
      Item: { ...maintenanceKey(place), entity: 'cdc-tending', bytes: 0, due, dueAt: at },
    },
  };
}

/** A stream that is older than tending gets what newer ones have from their creation on; once, however often it is asked for. */
export async function beginMaintenance(table: Table, place: StatePlace, at: Date): Promise<void> {
  const { Put: item } = newMaintenanceItem(table, place, at.toISOString());
  try {
    await table.db.send(new PutCommand({ ...item!, ConditionExpression: 'attribute_not_exists(pk)' }));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

export async function readMaintenance(table: Table, place: StatePlace): Promise<Maintenance | undefined> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: maintenanceKey(place), ConsistentRead: true }),
  );
  return found.Item as Maintenance | undefined;
}

/** Has the workspace's storage meter count what the stream has stored now; a twin does it once with us. */
export async function meterStream(table: Table, place: StatePlace, bytes: number, at: Date): Promise<void> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const tending = await readMaintenance(table, place);
    if (!tending || tending.bytes === bytes) return;
    const usage = await readStorageUsage(table, place.workspaceId);
    const next = grown(at, usage, bytes - tending.bytes);
    try {
      await transact(table, [
        { Update: updateOf(table, maintenanceKey(place), { set: { bytes } }, { equals: { bytes: tending.bytes } }) },
        storageUsageItem(table, place.workspaceId, usage, next),
      ]);
      return;
    } catch (cause) {
      if (failedConditions(cause).size === 0) throw cause;
    }
  }
}

/** Notes that the stream is gone, once. */
export async function noteGone(table: Table, place: StatePlace, at: Date): Promise<void> {
  const change = { set: { goneAt: at.toISOString() } };
  try {
    await table.db.send(
      new UpdateCommand(updateOf(table, maintenanceKey(place), change, { exists: ['pk'], absent: ['goneAt'] })),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

export async function endMaintenance(table: Table, place: StatePlace): Promise<void> {
  await table.db.send(new DeleteCommand({ TableName: table.name, Key: maintenanceKey(place) }));
}
