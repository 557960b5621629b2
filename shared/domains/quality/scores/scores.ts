import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import { queryItems } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { latestResults } from '../runs/record-run.ts';
import type { CheckedTable } from '../table.ts';
import { tableOf } from '../tests/records.ts';
import { listTests, testRepository } from '../tests/repository.ts';
import { scoreTable, type TableScore, type TrendPoint, trendByDay } from './rules.ts';

export const TREND_DAYS = 30;
const KEPT_DAYS = 400;

interface Deps {
  table: Table;
  now(): Date;
}

export interface CurrentScore extends TableScore {
  table: CheckedTable;
  tableKey: string;
  lastRunAt: string | null;
}

/** The scores of all tables that have active tests, by their names. */
export async function currentScores({ table, now }: Deps, workspaceId: string): Promise<CurrentScore[]> {
  const [tests, results] = await Promise.all([
    listTests(testRepository(table), workspaceId, ({ isActive }) => isActive),
    latestResults(table, workspaceId),
  ]);
  const tables = [...Map.groupBy(tests, ({ tableKey }) => tableKey)];
  const scores = tables.map(([tableKey, group]): CurrentScore => {
    const runs = group.flatMap(({ id }) => results.get(id)?.startedAt ?? []);
    return {
      ...scoreTable(group, results, now()),
      table: tableOf(group[0]!),
      tableKey,
      lastRunAt: runs.sort().at(-1) ?? null,
    };
  });
  return scores.sort((a, b) => compareText(placeText(a), placeText(b)));
}

const placeText = ({ table }: CurrentScore) => `${table.schemaName}.${table.tableName} ${table.sourceId}`;
const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const trendArea = 'QUALITY-TREND';

/** Keeps the scores of tables for the trend: the last ones of each day. */
export async function recordScores(deps: Deps, workspaceId: string, tableKeys: ReadonlySet<string>): Promise<void> {
  const date = dayOf(deps.now());
  const expiresAt = Math.floor((deps.now().getTime() + KEPT_DAYS * DAY_MS) / 1000);
  for (const { tableKey, score } of await currentScores(deps, workspaceId)) {
    if (score === null || !tableKeys.has(tableKey)) continue;
    const key = workspaceKey(workspaceId, trendArea, `${date}#${tableKey}`);
    const point: TrendPoint = { date, tableKey, score };
    const Item = { ...key, entity: 'quality-score', ...point, expiresAt };
    await deps.table.db.send(new PutCommand({ TableName: deps.table.name, Item }));
  }
}

/** The trend of the last days, of some tables or of all. Scores from before these days count as well. */
export async function readTrend({ table, now }: Deps, workspaceId: string, tableKeys?: ReadonlySet<string>) {
  const days = Array.from({ length: TREND_DAYS }, (_, i) =>
    dayOf(new Date(now().getTime() - (TREND_DAYS - 1 - i) * DAY_MS)),
  );
  const { pk } = workspaceKey(workspaceId, trendArea, '');
  const items = queryItems(table, {
    KeyConditionExpression: 'pk = :pk AND sk >= :from',
    ExpressionAttributeValues: { ':pk': pk, ':from': dayOf(new Date(now().getTime() - 2 * TREND_DAYS * DAY_MS)) },
  });
  const points: TrendPoint[] = [];
  for await (const item of items) {
    const { date, tableKey, score } = item as unknown as TrendPoint;
    if (!tableKeys || tableKeys.has(tableKey)) points.push({ date, tableKey, score });
  }
  return trendByDay(points, days);
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
