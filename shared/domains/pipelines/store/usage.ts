import type { Key } from '../../../platform/storage/keys.ts';
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
  at: Date;
}

/** The ledger entry of attempts of a run that ended together, which is written once, and the counters that sum the entries. */
export function usageItems(table: Table, attempts: readonly AttemptUsage[]): TransactItem[] {
  const [first] = attempts;
  if (!first) return [];
  const { workspaceId, runId, index, attempt, pipelineId } = first;
  const entries = attempts.map(({ workspaceId: _w, runId: _r, pipelineId: _p, at, ...entry }) => ({
    ...entry,
    at: at.toISOString(),
  }));
  return [
    {
      Put: {
        TableName: table.name,
        Item: { ...ledgerKey(workspaceId, runId, index, attempt), entity: 'usage-entry', pipelineId, entries },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    ...counterItems(table, attempts),
  ];
}

/** The counters that the attempts raise, each once. */
function counterItems(table: Table, attempts: readonly AttemptUsage[]): TransactItem[] {
  const counters = new Map<string, { key: Key; add: Record<string, number> }>();
  for (const { workspaceId, pipelineId, executionSeconds, rowsMoved, bytesMoved, sink, at } of attempts) {
    const [month, day] = [at.toISOString().slice(0, 7), at.toISOString().slice(8, 10)];
    const moved = { rows_moved: rowsMoved, bytes_moved: bytesMoved };
    const worked = { execution_seconds: executionSeconds, ...moved };
    const raised: [string, Record<string, number>][] = [
      [`DAY#${day}`, worked],
      [`PIPELINE#${pipelineId}`, worked],
      ...(sink ? [[`SINK#${sink.kind}#${sink.id}`, moved] as [string, Record<string, number>]] : []),
    ];
    for (const [part, add] of raised) {
      const key = usageKey(workspaceId, month, part);
      const counter = counters.get(key.pk + key.sk) ?? { key, add: {} };
      for (const [name, by] of Object.entries(add)) counter.add[name] = (counter.add[name] ?? 0) + by;
      counters.set(key.pk + key.sk, counter);
    }
  }
  return [...counters.values()].map(({ key, add }) => ({
    Update: updateOf(table, key, { add, set: { entity: 'usage' } }),
  }));
}

/** Counts a run in the day of its end. */
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
