import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../storage/table.ts';
import { usageKey } from './run-keys.ts';

/** What the steps of a month's runs have used. */
export interface PipelineUsage {
  execution_seconds: number;
  rows_moved: number;
  bytes_moved: number;
  runs: number;
}

const NAMES = ['execution_seconds', 'rows_moved', 'bytes_moved', 'runs'] as const;

/** The month of a workspace, summed over its days. */
export async function readMonth(table: Table, workspaceId: string, month: string): Promise<PipelineUsage> {
  const sum: PipelineUsage = { execution_seconds: 0, rows_moved: 0, bytes_moved: 0, runs: 0 };
  for (const { usage } of await counters(table, workspaceId, month, 'DAY#')) {
    for (const name of NAMES) sum[name] += usage[name];
  }
  return sum;
}

export interface UsageOf {
  /** What follows the kind in the counter's key, such as the id of the pipeline. */
  part: string;
  usage: PipelineUsage;
}

/** The counters of a month for each pipeline (`PIPELINE#`) or sink (`SINK#`). */
export async function counters(
  table: Table,
  workspaceId: string,
  month: string,
  prefix: 'DAY#' | 'PIPELINE#' | 'SINK#',
): Promise<UsageOf[]> {
  const { pk } = usageKey(workspaceId, month, prefix);
  const found: UsageOf[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await table.db.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
        ConsistentRead: true,
        ExclusiveStartKey: start,
      }),
    );
    for (const item of page.Items ?? []) {
      const [execution_seconds, rows_moved, bytes_moved, runs] = NAMES.map((name) => (item[name] as number) ?? 0);
      const usage = { execution_seconds, rows_moved, bytes_moved, runs } as PipelineUsage;
      found.push({ part: (item.sk as string).slice(prefix.length), usage });
    }
    start = page.LastEvaluatedKey;
  } while (start);
  return found;
}
