import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../platform/errors/app-error.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import type { ClassState, Edge, NoValueReason, Silenced } from '../conditions/index.ts';
import { historyKey, stateKey } from './keys.ts';
import type { AlertRecord } from './records.ts';
import { unchangedAlert } from './repository.ts';

/** Names of groups are any text, and those of members of an item may not be empty. */
const stored = <T>(byGroup: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(byGroup).map(([group, each]) => [`=${group}`, each]));
const asGroups = <T>(members: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(members).map(([name, each]) => [name.slice(1), each]));

function toClass(item: Record<string, unknown>): StoredClass {
  const record = toRecord<StoredClass>(item);
  return { ...record, groups: asGroups(record.groups), notices: asGroups(record.notices) };
}

/** Why a rule has history no longer than this. */
const KEPT_SECONDS = 90 * 24 * 60 * 60;

const SHARDS = 4;
/** Partitions of the due index with states whose notices an interrupted worker has left. */
export const NOTICE_PARTITIONS = Array.from({ length: SHARDS }, (_, shard) => `alert-notices#${shard}`);
const partitionOf = (alertId: string) => NOTICE_PARTITIONS[Number.parseInt(alertId.slice(-2), 16) % SHARDS]!;
/** The worker that evaluates also notifies; the tick continues after this time. */
const RESUME_MS = 60_000;

/** An edge whose people are still to be notified. */
export interface PendingEdge {
  group: string;
  edge: Edge;
  at: string;
  value: number | null;
  state: ClassState['groups'][string]['state'];
  /** The firing that it belongs to; null for a recovery, which ends it. */
  episodeId: string | null;
  /** Whether the class is that of the owner, of which webhooks hear too. */
  isOwners: boolean;
  error: { code: string; message: string } | null;
  /** See `StoredClass`. */
  lasting: string | null;
  /** What `woke` sums up. */
  silenced: Silenced | null;
}

/** The state of a rule for one class of row rights, with what is still to be done. */
export interface StoredClass extends ClassState {
  alertId: string;
  workspaceId: string;
  classKey: string;
  conditionVersion: number;
  /** The digest of what was asked; it changes with the source. */
  asked: string;
  /** Whether the owner was of the class when it was evaluated. */
  isOwners: boolean;
  /** The versions of the datasets that were read, by id; null where a source is not a dataset. */
  versions: Record<string, number> | null;
  /** The ids of the notices of current episodes, by group: the first, and the last that differs. */
  notices: Record<string, string[]>;
  pending: PendingEdge[];
  /** The lasting class of those who may see the values; null if it changed while they were read, so that no one may. */
  lasting: string | null;
  /** Increases with each write. */
  turn: number;
  /** The instant of the first evaluation since which no one is of the class. */
  endedAt?: string;
}

export interface HistoryEntry {
  group: string;
  state: ClassState['groups'][string]['state'];
  edges: Edge[];
  value: number | null;
  reason: NoValueReason | null;
  error: { code: string; message: string } | null;
}

export interface StoredHistory {
  at: string;
  entries: HistoryEntry[];
  /** See `StoredClass`. */
  lasting: string | null;
}

/** The rule was changed or deleted while it was evaluated as it was before. */
export class RuleChangedError extends Error {
  constructor(alertId: string, options: ErrorOptions) {
    super(`the alert ${alertId} has changed`, options);
  }
}

interface Place {
  workspaceId: string;
  alertId: string;
}

export interface ClassStates {
  read(place: Place, classKey: string): Promise<StoredClass | undefined>;
  /** Those for every class that was evaluated. */
  list(place: Place): Promise<StoredClass[]>;
  /**
   * Stores what follows from an evaluation of the rule, with its history and the edges to notify people of. Throws
   * `STALE_WRITE` if the state has changed since it was read, and `RuleChangedError` if the rule has.
   */
  write(
    alert: AlertRecord,
    before: StoredClass | undefined,
    next: StoredClass,
    history: HistoryEntry[],
  ): Promise<StoredClass>;
  /** For the state of a rule that was deleted. */
  remove(place: Place, classKey: string): Promise<void>;
  /** Notes when the class has ended, or with null that it goes on, unless the state has changed since it was read. */
  setEnded(state: StoredClass, at: string | null): Promise<void>;
  /** Removes a state of which no edge is left to notify people of, unless it has changed since it was read. */
  removeEnded(state: StoredClass): Promise<void>;
  /** Takes the first edge off, in one transaction with the items. Returns undefined if another worker was faster. */
  notified(state: StoredClass, notices: StoredClass['notices'], also: TransactItem[]): Promise<StoredClass | undefined>;
  /** Newest first. What another condition has read is left out: its classes are others. */
  history(place: Place & { conditionVersion: number }, classKey: string, limit: number): Promise<StoredHistory[]>;
}

export function classStates(table: Table): ClassStates {
  const read: ClassStates['read'] = async (place, classKey) => {
    const Key = stateKey(place, classKey);
    const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    return found.Item && toClass(found.Item);
  };

  return {
    read,

    list: (place) => Array.fromAsync(itemsBelow(table, stateKey(place, '')), toClass),

    async write(alert, before, next, history) {
      const written = { ...next, turn: (before?.turn ?? 0) + 1 };
      const { workspaceId, alertId, classKey, conditionVersion, pending, evaluatedAt, lasting } = written;
      const due =
        pending.length > 0
          ? { due: partitionOf(alertId), dueAt: new Date(table.now().getTime() + RESUME_MS).toISOString() }
          : {};
      const kept = { ...written, groups: stored(written.groups), notices: stored(written.notices) };
      const Item = { ...kept, ...stateKey(written, classKey), entity: 'alert-state', ...due };
      const condition = before
        ? { ConditionExpression: 'turn = :seen', ExpressionAttributeValues: { ':seen': before.turn } }
        : { ConditionExpression: 'attribute_not_exists(pk)' };
      const expiresAt = Math.ceil(table.now().getTime() / 1000) + KEPT_SECONDS;
      const key = historyKey({ workspaceId, alertId }, classKey, evaluatedAt!);
      const found = { at: evaluatedAt, entries: history, lasting, conditionVersion };
      const entry = { ...key, entity: 'alert-history', ...found, expiresAt };
      try {
        await transact(table, [
          unchangedAlert(table, alert),
          { Put: { TableName: table.name, Item, ...condition } },
          ...(history.length > 0 ? [{ Put: { TableName: table.name, Item: entry } }] : []),
        ]);
      } catch (cause) {
        const failed = failedConditions(cause);
        if (failed.has(0)) throw new RuleChangedError(alert.id, { cause });
        if (failed.size > 0) throw new AppError('STALE_WRITE', { cause });
        throw cause;
      }
      return written;
    },

    async remove(place, classKey) {
      await table.db.send(new DeleteCommand({ TableName: table.name, Key: stateKey(place, classKey) }));
    },

    async setEnded(state, at) {
      const change = at === null ? { remove: ['endedAt'] } : { set: { endedAt: at } };
      const Update = updateOf(table, stateKey(state, state.classKey), change, { equals: { turn: state.turn } });
      await ifHolds(table.db.send(new UpdateCommand(Update)));
    },

    async removeEnded(state) {
      if (state.pending.length > 0) return;
      const condition = {
        ConditionExpression: 'turn = :seen',
        ExpressionAttributeValues: { ':seen': state.turn },
      };
      const Key = stateKey(state, state.classKey);
      await ifHolds(table.db.send(new DeleteCommand({ TableName: table.name, Key, ...condition })));
    },

    async notified(state, notices, also) {
      const next = { ...state, notices, pending: state.pending.slice(1), turn: state.turn + 1 };
      const change = {
        set: { pending: next.pending, notices: stored(notices), turn: next.turn },
        ...(next.pending.length === 0 && { remove: ['due', 'dueAt'] }),
      };
      const Update = updateOf(table, stateKey(state, state.classKey), change, { equals: { turn: state.turn } });
      if (also.length === 0) {
        return (await ifHolds(table.db.send(new UpdateCommand(Update)))) ? next : undefined;
      }
      try {
        await transact(table, [{ Update }, ...also]);
        return next;
      } catch (cause) {
        if (failedConditions(cause).has(0)) return undefined;
        throw cause;
      }
    },

    async history(place, classKey, limit) {
      const below = itemsBelow(table, historyKey(place, classKey, ''), { newestFirst: true, atMost: limit });
      const items = await Array.fromAsync(below, (item) =>
        toRecord<StoredHistory & { conditionVersion: number }>(item),
      );
      return items
        .filter(({ conditionVersion }) => conditionVersion === place.conditionVersion)
        .map(({ at, entries, lasting }) => ({ at, entries, lasting }));
    },
  };
}

/** The rule and the class of an item that is due. */
export function stateOfItem({ pk, sk }: { pk: string; sk: string }): Place & { classKey: string } {
  const [, workspaceId, , alertId] = pk.split('#') as [string, string, string, string];
  return { workspaceId, alertId, classKey: sk };
}
