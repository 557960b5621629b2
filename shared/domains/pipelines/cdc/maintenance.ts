import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { tries } from '../../../platform/concurrency/tries.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { readStorageUsage, storageUsageItem, usageAfter } from '../../warehouse/datasets/index.ts';
import type { StatePlace } from './state.ts';

export const MAINTENANCE_SHARDS = 4;
/** The partitions of the due index for the next maintenance of streams. */
export const maintenanceShard = (shard: number): string => `cdc-maintenance#${shard}`;

/** The metered storage of a stream. The record outlives the stream until everything is removed. */
interface Maintenance {
  /** Included in the storage usage of the workspace. */
  bytes: number;
  /** When maintenance first found the stream deleted. */
  goneAt?: string;
}

const maintenanceKey = ({ workspaceId, id }: StatePlace): Key =>
  workspaceKey(workspaceId, `CDC-STREAM#${id}`, 'MAINTENANCE');

/** Written in the transaction that creates a stream. */
export function newMaintenanceItem(table: Table, place: StatePlace, at: string): TransactItem {
  const due = maintenanceShard(Number.parseInt(place.id.slice(-2), 16) % MAINTENANCE_SHARDS);
  return {
    Put: {
      TableName: table.name,
      Item: { ...maintenanceKey(place), entity: 'cdc-maintenance', bytes: 0, due, dueAt: at },
    },
  };
}

export async function readMaintenance(table: Table, place: StatePlace): Promise<Maintenance | undefined> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: maintenanceKey(place), ConsistentRead: true }),
  );
  return found.Item as Maintenance | undefined;
}

/** Updates the storage usage of the workspace to the current size of the stream; concurrent workers count it once. */
export async function updateStreamUsage(table: Table, place: StatePlace, bytes: number, at: Date): Promise<void> {
  for await (const _try of tries()) {
    const stored = await readMaintenance(table, place);
    if (!stored || stored.bytes === bytes) return;
    const usage = await readStorageUsage(table, place.workspaceId);
    const next = usageAfter(at, usage, bytes - stored.bytes);
    try {
      await transact(table, [
        { Update: updateOf(table, maintenanceKey(place), { set: { bytes } }, { equals: { bytes: stored.bytes } }) },
        storageUsageItem(table, place.workspaceId, usage, next),
      ]);
      return;
    } catch (cause) {
      if (failedConditions(cause).size === 0) throw cause;
    }
  }
}

/** Records, once, that the stream was deleted. */
export async function recordDeletion(table: Table, place: StatePlace, at: Date): Promise<void> {
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
