import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { type Condition, updateOf } from '../../../platform/storage/update.ts';
import { snoozeKey, snoozePartition } from '../rules/index.ts';

interface Place {
  workspaceId: string;
  id: string;
}

/** Whether a person hears of the rule, and what they have missed. */
export interface PersonalSnooze {
  userId: string;
  /** Null once it is over. */
  until: string | null;
  /** The ids of the notices that the person was not notified of. */
  missed?: ReadonlySet<string>;
  /** Those of the summary that is being written. */
  summing?: string[];
  /** The ids of the notifications that the last summary stands for. */
  summed?: string[];
  /** Increases with each write. */
  turn: number;
}

const AT_ONCE = 8;
/** A summary counts no further. */
const MAX_MISSED = 500;
const KEPT_SECONDS = 90 * 24 * 60 * 60;

const keyOf = ({ workspaceId, id: alertId }: Place, userId: string) => snoozeKey({ workspaceId, alertId }, userId);

type Change = Parameters<typeof updateOf>[2];

const write = (table: Table, place: Place, userId: string, change: Change, condition: Condition): Promise<boolean> => {
  const counted = { ...change, add: { turn: 1 } };
  return ifHolds(table.db.send(new UpdateCommand(updateOf(table, keyOf(place, userId), counted, condition))));
};

/** Until when a person hears nothing of the rule; null ends it. The tick then has the summary written. */
export async function snoozeForPerson(table: Table, alert: Place, userId: string, until: string | null): Promise<void> {
  const dueAt = until ?? table.now().toISOString();
  const expiresAt = Math.ceil(Date.parse(dueAt) / 1000) + KEPT_SECONDS;
  const due = { due: snoozePartition(alert.id), dueAt };
  await write(table, alert, userId, { set: { entity: 'alert-snooze', userId, until, expiresAt, ...due } }, {});
}

export async function readSnooze(table: Table, alert: Place, userId: string): Promise<PersonalSnooze | undefined> {
  const Key = keyOf(alert, userId);
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return found.Item && toRecord<PersonalSnooze>(found.Item);
}

/** Those of the people, by user id. */
export async function snoozesOf(
  table: Table,
  alert: Place,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, PersonalSnooze>> {
  const items = await readItems(
    table,
    userIds.map((userId) => keyOf(alert, userId)),
  );
  return new Map(items.map((item) => [item.userId as string, toRecord<PersonalSnooze>(item)]));
}

export const isAsleep = (snooze: PersonalSnooze | undefined, at: string): boolean => (snooze?.until ?? '') > at;

/**
 * Keeps the notice for the summaries of the people, whose snoozes were read. Returns those whose snooze has ended in
 * between, who are to be notified like the others. May be repeated.
 */
export async function keepForSummary(
  table: Table,
  alert: Place,
  snoozes: readonly PersonalSnooze[],
  { noticeId, at }: { noticeId: string; at: string },
): Promise<string[]> {
  const awake: string[] = [];
  await inParallel(AT_ONCE, snoozes, async ({ userId }) => {
    await onNewest('STALE_WRITE', async () => {
      const snooze = await readSnooze(table, alert, userId);
      if (!isAsleep(snooze, at)) {
        awake.push(userId);
        return;
      }
      const missed = snooze!.missed ?? new Set();
      if (missed.has(noticeId) || missed.size >= MAX_MISSED) return;
      const change = { set: { missed: new Set([...missed, noticeId]) } };
      if (!(await write(table, alert, userId, change, { equals: { turn: snooze!.turn } }))) {
        throw new AppError('STALE_WRITE');
      }
    });
  });
  return awake;
}

/**
 * Ends a snooze that is over, and returns the ids of the notices to sum up. Until `summaryWritten`, it returns the same
 * ones. Undefined if the person has snoozed the rule again, or there is nothing to end.
 */
export function beginSummary(table: Table, alert: Place, userId: string): Promise<string[] | undefined> {
  return onNewest('STALE_WRITE', async () => {
    const snooze = await readSnooze(table, alert, userId);
    if (snooze?.summing) return snooze.summing;
    if (!snooze || isAsleep(snooze, table.now().toISOString())) return undefined;
    const summing = [...(snooze.missed ?? [])].sort();
    const change = { set: { until: null, summing }, remove: ['missed'] };
    if (!(await write(table, alert, userId, change, { equals: { turn: snooze.turn } }))) {
      throw new AppError('STALE_WRITE');
    }
    return summing;
  });
}

/** The person has got the summary of these notices, which stands for the notifications. */
export async function summaryWritten(
  table: Table,
  alert: Place,
  { userId, summing, summed }: { userId: string; summing: string[]; summed: string[] },
): Promise<void> {
  const set = summed.length > 0 ? { set: { summed } } : {};
  const over = { ...set, remove: ['summing', 'due', 'dueAt'] };
  if (await write(table, alert, userId, over, { equals: { summing, until: null } })) return;
  // The person has snoozed the rule again, which is due at its end.
  await write(table, alert, userId, { ...set, remove: ['summing'] }, { equals: { summing } });
}
