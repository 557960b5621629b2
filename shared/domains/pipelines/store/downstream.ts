import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DueItem } from '../../../platform/storage/due-items.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { type Condition, updateOf } from '../../../platform/storage/update.ts';
import type { Dag } from '../definition/index.ts';
import type { RunStatus, StoredRun } from './run-record.ts';

/** The pipelines that start after a pipeline has ended, stored by that upstream pipeline. */
const area = (upstreamId: string) => `DOWNSTREAM#${upstreamId}`;

/** One transaction ends a run, with an item for each downstream pipeline. */
export const MAX_DOWNSTREAM = 50;

const upstreamOf = (dag: Pick<Dag, 'trigger'> | undefined) =>
  dag?.trigger?.kind === 'pipeline' ? dag.trigger : undefined;

/** Part of the transaction that saves (or, without `next`, removes) a pipeline. */
export function downstreamItems(
  table: Table,
  pipeline: { workspaceId: string; id: string },
  previous: Pick<Dag, 'trigger'> | undefined,
  next: Pick<Dag, 'trigger'> | undefined,
): TransactItem[] {
  const [before, after] = [upstreamOf(previous), upstreamOf(next)];
  const key = (upstreamId: string) => workspaceKey(pipeline.workspaceId, area(upstreamId), pipeline.id);
  const items: TransactItem[] = [];
  if (before && before.pipelineId !== after?.pipelineId) {
    items.push({ Delete: { TableName: table.name, Key: key(before.pipelineId) } });
  }
  if (after) {
    const on = after.on ?? 'success';
    items.push({ Put: { TableName: table.name, Item: { ...key(after.pipelineId), entity: 'downstream', on } } });
  }
  return items;
}

/** The pipelines that start when a run of this one ends with the status. */
export async function downstreamOf(
  table: Table,
  upstream: { workspaceId: string; pipelineId: string },
  status: RunStatus,
): Promise<string[]> {
  const found: string[] = [];
  for await (const item of itemsBelow(table, workspaceKey(upstream.workspaceId, area(upstream.pipelineId), ''))) {
    if (item.on === 'completion' || status === 'succeeded') found.push(item.sk as string);
  }
  return found;
}

/** The pending start of a run of `pipelineId` after the end of `upstreamRunId`. */
export interface UpstreamEnd {
  workspaceId: string;
  pipelineId: string;
  upstreamRunId: string;
  upstreamAttempt: number;
  endedAt: string;
}

/** One pending start for each downstream pipeline. */
export const upstreamEndsOf = (run: StoredRun, downstream: readonly string[], endedAt: string): UpstreamEnd[] =>
  downstream.map((pipelineId) => ({
    workspaceId: run.workspaceId,
    pipelineId,
    upstreamRunId: run.id,
    upstreamAttempt: run.attempt,
    endedAt,
  }));

export const UPSTREAM_END_PARTITION = 'upstream-end';
const RESEND_AFTER_MS = 60_000;
const MAX_RESEND_AFTER_MS = 15 * 60_000;

const partitionOf = (place: { workspaceId: string; pipelineId: string }) =>
  workspaceKey(place.workspaceId, `UPSTREAM-END#${place.pipelineId}`, '');

/** Sorted by their time, so that the first to end is the first to start. */
const endKey = (end: UpstreamEnd): Key => ({
  ...partitionOf(end),
  sk: `${end.endedAt}#${end.upstreamRunId}#${end.upstreamAttempt}`,
});

const endPut = (table: Table, key: Key, end: UpstreamEnd): TransactItem => ({
  Put: {
    TableName: table.name,
    Item: {
      ...key,
      entity: 'upstream-end',
      due: UPSTREAM_END_PARTITION,
      dueAt: new Date(Date.parse(end.endedAt) + RESEND_AFTER_MS).toISOString(),
    },
  },
});

/** Part of the transaction that ends the upstream run. */
export const upstreamEndItem = (table: Table, end: UpstreamEnd): TransactItem => endPut(table, endKey(end), end);

/** Reads a pending start from its key. */
export function upstreamEndOf({ pk, sk }: Key): UpstreamEnd {
  const [, workspaceId, , pipelineId] = pk.split('#');
  const [endedAt, upstreamRunId, attempt] = sk.split('#');
  return {
    workspaceId: workspaceId!,
    pipelineId: pipelineId!,
    upstreamRunId: upstreamRunId!,
    upstreamAttempt: Number(attempt),
    endedAt: endedAt!,
  };
}

/** The oldest end that waits for its run. */
export async function oldestUpstreamEnd(
  table: Table,
  place: { workspaceId: string; pipelineId: string },
): Promise<Key | undefined> {
  const { pk } = partitionOf(place);
  for await (const item of itemsBelow(table, { pk, sk: '' }, { atMost: 1 })) return { pk, sk: item.sk as string };
  return undefined;
}

export async function isUpstreamEndWaiting(table: Table, end: UpstreamEnd): Promise<boolean> {
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key: endKey(end), ConsistentRead: true }));
  return found.Item !== undefined;
}

/** The items with which one run takes an end: removed with the run's creation, stored again if it cannot start. */
export const upstreamEndClaim = (table: Table, key: Key): { acquire: TransactItem; release: TransactItem } => ({
  acquire: { Delete: { TableName: table.name, Key: key, ConditionExpression: 'attribute_exists(pk)' } },
  release: endPut(table, key, upstreamEndOf(key)),
});

/** The occasion of an end; it starts at most one run. */
export const upstreamOccasion = ({ upstreamRunId, upstreamAttempt }: UpstreamEnd): string =>
  `pipeline#${upstreamRunId}#${upstreamAttempt}`;

/**
 * Lets a later tick wake the pipeline again: the next one for the first of its ends; for the others after as long as
 * they have waited already, at most 15 minutes, so that a long backlog costs few writes.
 */
export function postponeUpstreamEnd(table: Table, item: DueItem, isFirst: boolean, now: Date): Promise<void> {
  const { pk, sk, dueAt } = item;
  const waitedMs = now.getTime() - Date.parse(upstreamEndOf(item).endedAt);
  const pauseMs = isFirst ? RESEND_AFTER_MS : Math.min(Math.max(waitedMs, RESEND_AFTER_MS), MAX_RESEND_AFTER_MS);
  return setDueAt(table, { pk, sk }, new Date(now.getTime() + pauseMs), { equals: { dueAt } });
}

/** More would flood a pipeline that has been paused for long. */
export const MAX_HELD_ENDS = 100;

/** Lets the newest ends wait until the user of the pipeline acts, at the latest until a tick after `until`. */
export async function holdUpstreamEnds(
  table: Table,
  place: { workspaceId: string; pipelineId: string },
  until: Date,
): Promise<void> {
  const { pk } = partitionOf(place);
  const keys = await Array.fromAsync(itemsBelow(table, { pk, sk: '' }), ({ sk }) => ({ pk, sk: sk as string }));
  const surplus = Math.max(0, keys.length - MAX_HELD_ENDS);
  for (const key of keys.slice(0, surplus)) await removeUpstreamEnd(table, key);
  for (const key of keys.slice(surplus)) await setDueAt(table, key, until, { exists: ['due'] });
}

async function setDueAt(table: Table, key: Key, at: Date, condition: Condition): Promise<void> {
  try {
    const dueAt = at.toISOString();
    await table.db.send(new UpdateCommand(updateOf(table, key, { set: { dueAt } }, condition)));
  } catch (error) {
    // Its run has started since, or it has another time.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** Removes a pending start whose run will never start. */
export async function removeUpstreamEnd(table: Table, key: Key): Promise<void> {
  await table.db.send(new DeleteCommand({ TableName: table.name, Key: key }));
}
