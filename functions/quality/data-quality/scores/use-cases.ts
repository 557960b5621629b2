import { type CurrentScore, currentScores, readTrend, scoreTables } from '../../../../shared/domains/quality/index.ts';
import { DATASETS } from '../../../../shared/domains/semantics/models/index.ts';
import { datasetReferences, datasetRepository } from '../../../../shared/domains/warehouse/datasets/index.ts';
import { type PageOf, pageOf } from '../../../../shared/platform/storage/page.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { TableScore, TableScoreQuery, WorkspaceScore } from './schemas.ts';

export interface ScoreDeps {
  table: Table;
  now(): Date;
}

type Scored = CurrentScore & { dependents: number };

export async function workspaceScore(deps: ScoreDeps, workspaceId: string): Promise<WorkspaceScore> {
  const scores = await scoredTables(deps, workspaceId);
  const known = scores.filter(({ score }) => score !== null);
  return {
    ...scoreTables(scores),
    tests: sum(scores, ({ tests }) => tests),
    tables: known.length,
    unscored: scores.length - known.length,
    staleTests: scores.flatMap(({ stale }) => stale),
    asOf: deps.now().toISOString(),
    trend: await readTrend(deps, workspaceId),
  };
}

export async function tableScores(
  deps: ScoreDeps,
  workspaceId: string,
  { sort = 'tableName', ...page }: TableScoreQuery,
): Promise<PageOf<TableScore>> {
  return pageOf(inOrder(await scoredTables(deps, workspaceId), sort), page, showScore);
}

/** Tables that are given by name. Those with the same score stay in that order. */
function inOrder(tables: Scored[], sort: NonNullable<TableScoreQuery['sort']>): Scored[] {
  if (sort === 'tableName') return tables;
  if (sort === '-tableName') return tables.reverse();
  const sign = sort === 'score' ? 1 : -1;
  return tables.sort((a, b) => {
    if (a.score === null || b.score === null) return Number(a.score === null) - Number(b.score === null);
    return sign * (a.score - b.score);
  });
}

function showScore({ table, stale, score, components, tests, unscored, failing, dependents, lastRunAt }: Scored) {
  return { ...table, score, components, tests, unscored, failing, staleTests: stale, dependents, lastRunAt };
}

export const sum = <T>(values: readonly T[], of: (value: T) => number): number =>
  values.reduce((total, value) => total + of(value), 0);

/** The tables with active tests, and how many records depend on those that are datasets. */
export async function scoredTables(deps: ScoreDeps, workspaceId: string): Promise<Scored[]> {
  const scores = await currentScores(deps, workspaceId);
  const names = scores.flatMap(({ table }) => (table.sourceId === DATASETS ? [table.tableName] : []));
  const datasets = await datasetRepository(deps.table).findMany(workspaceId, names);
  const references = datasetReferences(deps.table);
  const dependents = new Map(
    await Promise.all(
      datasets.map(async ({ id, name }) => [name, (await references.read(workspaceId, id)).length] as const),
    ),
  );
  return scores.map((score) => ({
    ...score,
    dependents: score.table.sourceId === DATASETS ? (dependents.get(score.table.tableName) ?? 0) : 0,
  }));
}
