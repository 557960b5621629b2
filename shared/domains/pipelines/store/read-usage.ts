import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { usageKey } from '../../tenancy/usage/index.ts';

/** The usage of runs in a month. */
export interface PipelineUsage {
  execution_seconds: number;
  rows_moved: number;
  bytes_moved: number;
  runs: number;
}

const NAMES = ['execution_seconds', 'rows_moved', 'bytes_moved', 'runs'] as const;

/** The usage of a workspace in a month, summed over its days. */
export async function readMonth(table: Table, workspaceId: string, month: string): Promise<PipelineUsage> {
  const sum: PipelineUsage = { execution_seconds: 0, rows_moved: 0, bytes_moved: 0, runs: 0 };
  for (const { usage } of await usageCounters(table, workspaceId, month, 'DAY#')) {
    for (const name of NAMES) sum[name] += usage[name];
  }
  return sum;
}

export interface UsageCounter {
  /** The rest of the counter's key, such as the id of the pipeline. */
  part: string;
  usage: PipelineUsage;
}

/** The counters of a month for each pipeline (`PIPELINE#`) or sink (`SINK#`). */
export async function usageCounters(
  table: Table,
  workspaceId: string,
  month: string,
  prefix: 'DAY#' | 'PIPELINE#' | 'SINK#',
): Promise<UsageCounter[]> {
  return Array.fromAsync(itemsBelow(table, usageKey(workspaceId, month, prefix)), (item) => {
    const [execution_seconds, rows_moved, bytes_moved, runs] = NAMES.map((name) => (item[name] as number) ?? 0);
    const usage = { execution_seconds, rows_moved, bytes_moved, runs } as PipelineUsage;
    return { part: (item.sk as string).slice(prefix.length), usage };
  });
}
