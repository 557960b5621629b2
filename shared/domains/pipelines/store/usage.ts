import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { usageKey } from '../../usage/index.ts';
import { ledgerKey } from './run-keys.ts';

/** The target of a load. */
export interface Sink {
  kind: 'dataset' | 'table' | 'files';
  id: string;
}

/** The usage of one attempt of a step, billed to the day of its end. */
export interface AttemptUsage {
  workspaceId: string;
  pipelineId: string;
  runId: string;
  index: number;
  attempt: number;
  executionSeconds: number;
  rowsMoved: number;
  bytesMoved: number;
  sink?: Sink;
}

/** The ledger entry of an attempt, which is written once, and the counters that sum the entries. */
export function usageItems(table: Table, usage: AttemptUsage, at: Date): TransactItem[] {
  const { workspaceId, pipelineId, runId, index, attempt, sink, ...used } = usage;
  const month = at.toISOString().slice(0, 7);
  const day = at.toISOString().slice(8, 10);
  const moved = { rows_moved: used.rowsMoved, bytes_moved: used.bytesMoved };
  const worked = { execution_seconds: used.executionSeconds, ...moved };
  const counter = (part: string, add: Record<string, number>): TransactItem => ({
    Update: updateOf(table, usageKey(workspaceId, month, part), { add, set: { entity: 'usage' } }),
  });
  return [
    {
      Put: {
        TableName: table.name,
        Item: {
          ...ledgerKey(workspaceId, runId, index, attempt),
          entity: 'usage-entry',
          pipelineId,
          ...used,
          ...(sink ? { sink } : {}),
          at: at.toISOString(),
        },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    counter(`DAY#${day}`, worked),
    counter(`PIPELINE#${pipelineId}`, worked),
    ...(sink ? [counter(`SINK#${sink.kind}#${sink.id}`, moved)] : []),
  ];
}

/** Counts a run that has started. */
export function runCountItems(
  table: Table,
  run: { workspaceId: string; pipelineId: string },
  at: Date,
): TransactItem[] {
  const month = at.toISOString().slice(0, 7);
  return [`DAY#${at.toISOString().slice(8, 10)}`, `PIPELINE#${run.pipelineId}`].map((part) => ({
    Update: updateOf(table, usageKey(run.workspaceId, month, part), { add: { runs: 1 }, set: { entity: 'usage' } }),
  }));
}
