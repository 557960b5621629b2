import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import type { StoredRun } from '../store/index.ts';
import { eventItem, queuedKey, type RunEvent } from '../store/index.ts';

/** The items of a new run that waits: its place among the queued runs of the workspace, and its first event. */
export function queueItems(table: Table, run: StoredRun, at: Date): TransactItem[] {
  return [
    { Put: { TableName: table.name, Item: { ...queuedKey(run), entity: 'queued-run', runId: run.id } } },
    eventItem(table, { workspaceId: run.workspaceId, runId: run.id }, 1, [queuedEvent(run)], at),
  ];
}

/** Removes the place of a queued run that starts or ends. */
export function leaveQueueItems(table: Table, run: StoredRun): TransactItem[] {
  return run.startsAtOnce ? [] : [{ Delete: { TableName: table.name, Key: queuedKey(run) } }];
}

/** The first event of a run. */
export const queuedEvent = ({ id, createdAt }: StoredRun): RunEvent => ({
  type: 'run.status',
  data: { runId: id, status: 'queued', attempt: 1, at: createdAt },
});
