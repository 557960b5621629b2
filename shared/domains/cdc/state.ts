import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { collection, failedConditions, toRecord } from '../../platform/storage/collection.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';
import { transact } from '../../platform/storage/transact.ts';
import { updateOf } from '../../platform/storage/update.ts';
import type { Lsn } from './lsn.ts';
import type { CdcError, CdcTableStatus, StoredStream } from './record.ts';

/** A capture that was not heard of for so long is given up. */
export const LEASE_MS = 60_000;

/** How far the capture of one table is. */
export interface TableState {
  generation: number;
  status: CdcTableStatus;
  error: CdcError | null;
  rows: number;
  lastLsn: Lsn | null;
  /** Of the table in the source: a name may come to mean another one. */
  oid: number | null;
  /** Whether the snapshot is whole and the changes of its time are in: from then on the rows are a state of the source. */
  complete: boolean;
  /** While it is not complete: the last batch that readers may see, null for none. */
  readableUpTo: number | null;
  /** A snapshot may begin when the source's oldest open transaction is not older than this one. */
  waitFor: string | null;
  /** Key of the last row of the snapshot so far. */
  after: string[] | null;
  /** Where the source's log was when the last rows of the snapshot were read; null before that. */
  highLsn: Lsn | null;
  /** The newest batch with rows of the table, which knows its columns. */
  schemaSeq: number | null;
}

/** How far the capture of a stream is. Whoever holds the newest epoch writes it, nobody else. */
export interface CaptureState {
  id: string;
  workspaceId: string;
  epoch: number;
  /** Until when the holder of the epoch is believed to be at work. */
  leaseUntil?: string;
  /** When a container has begun the turn that is under way, or that it goes on from at once. */
  streamedAt?: string;
  /** The last turn ended in the middle of a batch: what it has stored for that one is nobody's. */
  isUntidy?: true;
  /** The stream is known to be folded and metered; absent from one that is older than that until its next turn. */
  isMaintained?: true;
  /** Number of the newest batch. */
  seq: number;
  /** Of the stream's slots: the one that was made last; 0 before the first. */
  slotGeneration: number;
  /** Everything before is in batches. */
  committedLsn: Lsn | null;
  /** What the source was told: never beyond `committedLsn`. */
  confirmedLsn: Lsn | null;
  tables: Record<string, TableState>;
  /** Transactions that were taken over last, while a snapshot is under way. */
  recentXids: number[];
  error: CdcError | null;
  /** The guard of the log has stopped the capture; enabling the stream anew lets it go on. */
  pausedAt: string | null;
  walStatus: string | null;
  retainedWalBytes: number | null;
  /** What was told to those who subscribe to the stream's troubles. */
  told: string[];
  /** When everything that was committed until then had been taken over. */
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
  /** Belongs into the transaction that creates the stream. */
  createItem(stream: StoredStream): TransactItem;
  /** The state for the caller to go on from, or undefined when somebody else is at work or the stream is gone. */
  claim(place: StatePlace, now: Date): Promise<CaptureState | undefined>;
  /** Throws `CaptureLost` when the capture is somebody else's by now. */
  prolong(state: CaptureState, now: Date): Promise<void>;
  /** Stores the state with what belongs to it, all or nothing. Throws `CaptureLost`. */
  save(state: CaptureState, also?: TransactItem[]): Promise<void>;
  /** Lets the next one begin at once, after a turn that has failed. */
  release(state: CaptureState): Promise<void>;
  remove(place: StatePlace): Promise<void>;
}

/** Another worker has the stream: what this one does must have no effect any more. */
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

    prolong: (state, now) => {
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
    isMaintained: true,
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
    told: [],
    drainedAt: null,
    heartbeatAt: null,
    updatedAt: made.createdAt,
  };
}
