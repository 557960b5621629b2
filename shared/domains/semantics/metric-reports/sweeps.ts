import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Static } from 'typebox';
import * as Type from 'typebox';
import { type AuditedChange, holdsAudited } from '../../../platform/audit/entry.ts';
import { Id, Nullable, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';

const SHARDS = 4;

/** Partitions of the due index with metrics to check for unusual values. */
export const SWEEP_PARTITIONS: readonly string[] = Array.from(
  { length: SHARDS },
  (_, shard) => `metric-sweep#${shard}`,
);

const partitionOf = (metricId: string): string => `metric-sweep#${Number.parseInt(metricId.slice(-2), 16) % SHARDS}`;

export const SWEEP_STATUSES = ['waiting', 'ok', 'protected', 'failing', 'not_certified'] as const;

export const Sweep = Type.Object(
  {
    status: StringEnum(SWEEP_STATUSES, {
      description:
        '`waiting` before the first check. `protected`: the model restricts rows or columns, so the metric is not checked. `failing`: the last check could not read the values, and is repeated every hour. `not_certified`: only certified metrics are checked.',
    }),
    checkedUntil: Nullable(
      Type.Unsafe<string>({ ...Timestamp, description: 'The end of the newest period that was checked.' }),
    ),
    checkedAt: Nullable(Timestamp),
    nextAt: Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'When the next check is due.' })),
    error: Nullable(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { $id: 'MetricSweepError', description: 'Why the last scheduled check failed.' },
      ),
    ),
  },
  { $id: 'MetricSweep', description: 'The scheduled check for unusual values of a metric.' },
);
export type Sweep = Static<typeof Sweep>;

/** The checks of a metric as stored; present once they were turned on. */
export interface StoredSweep {
  status: 'waiting' | 'ok' | 'protected' | 'failing';
  checkedUntil?: string;
  checkedAt?: string;
  /** Present while the checks are on. */
  dueAt?: string;
  error?: { code: string; message: string };
}

export const FEEDBACK = ['open', 'confirmed', 'dismissed'] as const;

export const DetectedAnomaly = Type.Object(
  {
    id: Id,
    metricId: Id,
    date: Type.String({ format: 'date', description: 'The first day of the period.' }),
    grain: Type.String(),
    from: Timestamp,
    to: Timestamp,
    value: Type.Union([Type.Number(), Type.String()]),
    expected: Type.Number({ description: 'The median of the baseline.' }),
    expectedLow: Type.Number(),
    expectedHigh: Type.Number(),
    direction: StringEnum(['above', 'below']),
    score: Type.Number(),
    detectedAt: Timestamp,
    status: StringEnum(FEEDBACK, { description: 'What people say about it.' }),
    statusBy: Nullable(Id),
    statusAt: Nullable(Timestamp),
  },
  { $id: 'DetectedAnomaly', description: 'An unusual value that the scheduled check has found.' },
);
export type DetectedAnomaly = Static<typeof DetectedAnomaly>;

interface MetricPlace {
  workspaceId: string;
  metricId: string;
}

/** The scheduled checks of metrics, and what they have found. */
export interface SweepStore {
  read(place: MetricPlace): Promise<StoredSweep | undefined>;
  /** Stores what a check has found, once. Returns false if another check was faster, or the checks were turned off. */
  checked(
    place: MetricPlace,
    seen: StoredSweep,
    check: { until: string; at: Date; next: Date; found: readonly DetectedAnomaly[]; also: TransactItem[] },
  ): Promise<boolean>;
  /** Stores that a check was not possible. Without `next` the tick repeats it. */
  notChecked(place: MetricPlace, outcome: Pick<StoredSweep, 'status' | 'error'> & { next?: Date }): Promise<void>;
  /** The newest periods first. */
  anomalies(place: MetricPlace, limit: number): Promise<DetectedAnomaly[]>;
  anomaly(place: MetricPlace, id: string): Promise<DetectedAnomaly | undefined>;
  /** Returns false if there is no such anomaly. */
  setStatus(
    place: MetricPlace & { id: string },
    feedback: Pick<DetectedAnomaly, 'status' | 'statusBy' | 'statusAt'>,
    act: AuditedChange,
  ): Promise<boolean>;
}

const keyIn = ({ workspaceId, metricId }: MetricPlace, sk: string): Key =>
  workspaceKey(workspaceId, `METRIC#${metricId}`, sk);
const sweepKey = (place: MetricPlace): Key => keyIn(place, 'SWEEP');
const anomalyKey = (place: MetricPlace, id: string): Key => keyIn(place, `ANOMALY#${id}`);

/** Turns the checks on from `dueAt` on, or off; for the transaction that changes the metric. */
export function planSweep(table: Table, place: MetricPlace, dueAt: Date | undefined): TransactItem {
  const change = dueAt
    ? {
        set: {
          due: partitionOf(place.metricId),
          dueAt: dueAt.toISOString(),
          entity: 'metric-sweep',
          status: 'waiting',
        },
      }
    : { remove: ['due', 'dueAt', 'error'] };
  return { Update: updateOf(table, sweepKey(place), change) };
}

/** For the transaction that deletes the metric; the clean-up removes the anomalies. */
export const removeSweep = (table: Table, place: MetricPlace): TransactItem => ({
  Delete: { TableName: table.name, Key: sweepKey(place) },
});

export function sweepStore(table: Table): SweepStore {
  const get = async (Key: Key) =>
    (await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }))).Item;

  return {
    async read(place) {
      const item = await get(sweepKey(place));
      return item && ({ ...toRecord<StoredSweep>(item), ...(item.dueAt ? { dueAt: item.dueAt } : {}) } as StoredSweep);
    },

    async checked(place, seen, { until, at, next, found, also }) {
      const set = { status: 'ok', checkedUntil: until, checkedAt: at.toISOString(), dueAt: next.toISOString() };
      const condition = seen.checkedUntil
        ? { equals: { checkedUntil: seen.checkedUntil }, exists: ['due'] }
        : { absent: ['checkedUntil'], exists: ['due'] };
      const puts = found.map((anomaly) => ({
        Put: {
          TableName: table.name,
          Item: { ...anomaly, ...anomalyKey(place, anomaly.id), entity: 'metric-anomaly' },
        },
      }));
      try {
        const Update = updateOf(table, sweepKey(place), { set, remove: ['error'] }, condition);
        await transact(table, [{ Update }, ...puts, ...also]);
        return true;
      } catch (cause) {
        if (failedConditions(cause).has(0)) return false;
        throw cause;
      }
    },

    async notChecked(place, { status, error, next }) {
      const set = { status, error, dueAt: next?.toISOString() };
      const change = error ? { set } : { set, remove: ['error'] };
      await ifHolds(table.db.send(new UpdateCommand(updateOf(table, sweepKey(place), change, { exists: ['due'] }))));
    },

    anomalies: (place, limit) =>
      Array.fromAsync(itemsBelow(table, keyIn(place, 'ANOMALY#'), { newestFirst: true, atMost: limit }), (item) =>
        toRecord<DetectedAnomaly>(item),
      ),

    async anomaly(place, id) {
      const item = await get(anomalyKey(place, id));
      return item && toRecord<DetectedAnomaly>(item);
    },

    setStatus: ({ id, ...place }, feedback, act) =>
      holdsAudited(
        table,
        { Update: updateOf(table, anomalyKey(place, id), { set: feedback }, { exists: ['pk'] }) },
        act,
      ),
  };
}
