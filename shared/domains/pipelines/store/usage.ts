import type { Key } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { usageKey } from '../../tenancy/usage/index.ts';

/** The target of a load. */
export interface Sink {
  kind: 'dataset' | 'table' | 'files';
  id: string;
}

/** The usage of one attempt of a step, billed to the day of its end. */
export interface AttemptUsage {
  workspaceId: string;
  pipelineId: string;
  executionSeconds: number;
  rowsMoved: number;
  bytesMoved: number;
  sink?: Sink;
  at: Date;
}

/** A run that has ended; it counts once, on the day on which it ends. */
export interface CountedRun {
  workspaceId: string;
  pipelineId: string;
  at: Date;
}

/**
 * Raises each counter of these attempts and this run once. Write them in the transaction that ends the attempts or the
 * run, because it succeeds only once.
 */
export function usageItems(table: Table, attempts: readonly AttemptUsage[], run?: CountedRun): TransactItem[] {
  const counters = new Map<string, { key: Key; add: Record<string, number> }>();
  const raise = (workspaceId: string, at: Date, counted: (readonly [part: string, add: Record<string, number>])[]) => {
    for (const [part, add] of counted) {
      const key = usageKey(workspaceId, at.toISOString().slice(0, 7), part);
      const counter = counters.get(key.pk + key.sk) ?? { key, add: {} };
      for (const [name, by] of Object.entries(add)) counter.add[name] = (counter.add[name] ?? 0) + by;
      counters.set(key.pk + key.sk, counter);
    }
  };
  for (const { workspaceId, pipelineId, executionSeconds, rowsMoved, bytesMoved, sink, at } of attempts) {
    const moved = { rows_moved: rowsMoved, bytes_moved: bytesMoved };
    const worked = { execution_seconds: executionSeconds, ...moved };
    raise(workspaceId, at, [
      [dayOf(at), worked],
      [`PIPELINE#${pipelineId}`, worked],
      ...(sink ? [[`SINK#${sink.kind}#${sink.id}`, moved] as const] : []),
    ]);
  }
  if (run) {
    raise(run.workspaceId, run.at, [
      [dayOf(run.at), { runs: 1 }],
      [`PIPELINE#${run.pipelineId}`, { runs: 1 }],
    ]);
  }
  return [...counters.values()].map(({ key, add }) => ({
    Update: updateOf(table, key, { add, set: { entity: 'usage' } }),
  }));
}

const dayOf = (at: Date) => `DAY#${at.toISOString().slice(8, 10)}`;
