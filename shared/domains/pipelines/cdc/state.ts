import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { collection } from '../../../platform/storage/collection.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import type { Lsn } from './lsn.ts';
import type { CdcError, CdcTableStatus, StoredStream } from './record.ts';

/** A capture that has not extended its lease for this long counts as crashed. */
export const LEASE_MS = 60_000;

/** The progress of the capture of one table. */
export interface TableState {
  generation: number;
  status: CdcTableStatus;
  error: CdcError | null;
  rows: number;
  lastLsn: Lsn | null;
  /** The oid of the table in the source, because its name may be reused for another table. */
  oid: number | null;
  /** Whether the snapshot and the changes made during it are captured; from then on the rows are a consistent state. */
  complete: boolean;
  /** The last batch that readers may see until the table is complete; null for none. */
  readableUpTo: number | null;
  /** The snapshot may begin when no transaction older than this one is open in the source. */
  waitFor: string | null;
  /** The key of the last row of the snapshot so far. */
  after: string[] | null;
  /** The position of the log when the last rows of the snapshot were read; null before that. */
  highLsn: Lsn | null;
  /** The newest batch with rows of the table, which contains its columns. */
  schemaSeq: number | null;
}

/** The progress of the capture of a stream. Only the worker with the newest epoch may write it. */
export interface CaptureState {
  id: string;
  workspaceId: string;
  epoch: number;
  /** The end of the lease of the worker with the epoch. */
  leaseUntil?: string;
  /** When a container began its current turn, or the one that it is about to continue. */
  streamedAt?: string;
  /** The last turn ended within a batch; the files that it stored belong to no batch. */
  isUntidy?: true;
  /** The number of the newest batch. */
  seq: number;
  /** The generation of the slot that was created last; 0 before the first. */
  slotGeneration: number;
  /** Everything before this position is in batches. */
  committedLsn: Lsn | null;
  /** The position that was confirmed to the source; never beyond `committedLsn`. */
  confirmedLsn: Lsn | null;
  tables: Record<string, TableState>;
  /** The most recently captured transactions, kept while a snapshot is running. */
  recentXids: number[];
  error: CdcError | null;
  /** When the log guard paused the capture; enabling the stream again resumes it. */
  pausedAt: string | null;
  walStatus: string | null;
  retainedWalBytes: number | null;
  /** The alerts that were sent and still apply. */
  reported: string[];
  /** The last time up to which everything committed had been captured. */
  drainedAt: string | null;
  heartbeatAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface StatePlace {
  workspaceId: string;
  id: string;
}

export interface CaptureStates {
  get(place: StatePlace): Promise<CaptureState | undefined>;
  getMany(workspaceId: string, ids: readonly string[]): Promise<CaptureState[]>;
  /** Written in the transaction that creates the stream. */
  createItem(stream: StoredStream): TransactItem;
  /** Claims the state for the caller; undefined if another worker holds it or the stream was deleted. */
  claim(place: StatePlace, now: Date): Promise<CaptureState | undefined>;
  /** Throws `CaptureLost` if another worker has taken over. */
  extendLease(state: CaptureState, now: Date): Promise<void>;
  /** Stores the state and related items, all or nothing. Throws `CaptureLost`. */
  save(state: CaptureState, also?: TransactItem[]): Promise<void>;
  /** Ends the lease after a failed turn, so that the next one can begin at once. */
  release(state: CaptureState): Promise<void>;
  remove(place: StatePlace): Promise<void>;
}

/** Another worker has taken over the stream; this one must not write any more. */
export class CaptureLost extends Error {}

export function captureStates(table: Table): CaptureStates {
  const states = collection<CaptureState>(table, { entity: 'cdc-state' });
  const keyOf = ({ workspaceId, id }: StatePlace) => states.key(workspaceId, id);

  async function change(state: CaptureState, set: Record<string, unknown>, remove: readonly string[] = []) {
    try {
      const update = updateOf(table, keyOf(state), { set, remove }, { equals: { epoch: state.epoch } });
      await table.db.send(new UpdateCommand(update));
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) throw new CaptureLost();
      throw error;
    }
  }

  return {
    get: ({ workspaceId, id }) => states.get(workspaceId, id),
    getMany: states.getMany,

    createItem: ({ id, workspaceId, createdAt }) => ({
      Put: {
        TableName: table.name,
        Item: { ...keyOf({ workspaceId, id }), entity: 'cdc-state', ...newState({ id, workspaceId, createdAt }) },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    }),

    async claim(place, now) {
      const seen = await states.get(place.workspaceId, place.id);
      if (!seen || (seen.leaseUntil !== undefined && Date.parse(seen.leaseUntil) > now.getTime())) return undefined;
      const leaseUntil = new Date(now.getTime() + LEASE_MS).toISOString();
      try {
        const reply = await table.db.send(
          new UpdateCommand({
            ...updateOf(
              table,
              keyOf(place),
              { set: { epoch: seen.epoch + 1, leaseUntil } },
              { equals: { epoch: seen.epoch }, exists: ['pk'] },
            ),
            ReturnValues: 'ALL_NEW',
          }),
        );
        return toRecord<CaptureState>(reply.Attributes!);
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return undefined;
        throw error;
      }
    },

    extendLease: (state, now) => {
      state.leaseUntil = new Date(now.getTime() + LEASE_MS).toISOString();
      return change(state, { leaseUntil: state.leaseUntil });
    },

    async save(state, also = []) {
      const item: TransactItem = {
        Put: {
          TableName: table.name,
          Item: { ...state, ...keyOf(state), entity: 'cdc-state' },
          ConditionExpression: 'epoch = :epoch',
          ExpressionAttributeValues: { ':epoch': state.epoch },
        },
      };
      try {
        await transact(table, [item, ...also]);
      } catch (cause) {
        if (failedConditions(cause).has(0)) throw new CaptureLost();
        throw cause;
      }
    },

    release: (state) => change(state, { isUntidy: true }, ['leaseUntil']),

    async remove(place) {
      await table.db.send(new DeleteCommand({ TableName: table.name, Key: keyOf(place) }));
    },
  };
}

function newState(made: Pick<CaptureState, 'id' | 'workspaceId' | 'createdAt'>): CaptureState {
  return {
    ...made,
    epoch: 0,
    seq: 0,
    slotGeneration: 0,
    committedLsn: null,
    confirmedLsn: null,
    tables: {},
    recentXids: [],
    error: null,
    pausedAt: null,
    walStatus: null,
    retainedWalBytes: null,
    reported: [],
    drainedAt: null,
    heartbeatAt: null,
    updatedAt: made.createdAt,
  };
}
