import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import type { Dag } from '../definition/dag.ts';
import type { RunStatus, StoredRun } from './records.ts';

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

const endKey = ({ workspaceId, pipelineId, upstreamRunId, upstreamAttempt, endedAt }: UpstreamEnd) =>
  workspaceKey(workspaceId, `UPSTREAM-END#${pipelineId}`, `${upstreamRunId}#${upstreamAttempt}#${endedAt}`);

/** Part of the transaction that ends the upstream run. */
export function upstreamEndItem(table: Table, end: UpstreamEnd): TransactItem {
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...endKey(end),
        entity: 'upstream-end',
        due: UPSTREAM_END_PARTITION,
        dueAt: new Date(Date.parse(end.endedAt) + RESEND_AFTER_MS).toISOString(),
      },
    },
  };
}

/** Reads a pending start from an item of the due index. */
export function upstreamEndOf({ pk, sk }: { pk: string; sk: string }): UpstreamEnd {
  const [, workspaceId, , pipelineId] = pk.split('#');
  const [upstreamRunId, attempt, endedAt] = sk.split('#');
  return {
    workspaceId: workspaceId!,
    pipelineId: pipelineId!,
    upstreamRunId: upstreamRunId!,
    upstreamAttempt: Number(attempt),
    endedAt: endedAt!,
  };
}

/** Removes a pending start whose run has started or never will. */
export async function removeUpstreamEnd(table: Table, end: UpstreamEnd): Promise<void> {
  await table.db.send(new DeleteCommand({ TableName: table.name, Key: endKey(end) }));
}

/** Lets a later tick try again, so that an overlap does not lose the start. */
export async function postponeUpstreamEnd(table: Table, end: UpstreamEnd, now: Date): Promise<void> {
  const dueAt = new Date(now.getTime() + RESEND_AFTER_MS).toISOString();
  await table.db.send(new UpdateCommand(updateOf(table, endKey(end), { set: { dueAt } }, { exists: ['due'] })));
}
