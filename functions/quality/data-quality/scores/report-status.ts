import { SEVERITIES } from '../../../../shared/data/quality/tests.ts';
import { type ReadingCard, type ReadTablesDeps, tablesOfCard } from '../../../../shared/domains/boards/charts/index.ts';
import { publishedFor, type ReaderDeps, seenDashboard } from '../../../../shared/domains/boards/dashboards/index.ts';
import { isDataBlock, type ReportReaderDeps, seenReport } from '../../../../shared/domains/boards/reports/index.ts';
import {
  type CheckedTable,
  findTable,
  type IssueRepository,
  type QualityIssue,
  readTrend,
  scoreTables,
  type TableDeps,
  tableKey,
} from '../../../../shared/domains/quality/index.ts';
import { modelTables } from '../../../../shared/domains/semantics/models/index.ts';
import type { DataSourceRepository } from '../../../../shared/domains/warehouse/sources/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { allIssues } from '../issues/use-cases.ts';
import type { TestDeps } from '../use-cases/context.ts';
import { type FreshnessDeps, tableFreshness, UNKNOWN_FRESHNESS } from './freshness.ts';
import type { Freshness, ReportStatus, ReportStatusQuery } from './schemas.ts';
import { type ScoreDeps, scoredTables, sum } from './use-cases.ts';

interface Deps
  extends ScoreDeps,
    ReaderDeps,
    ReadTablesDeps,
    Omit<FreshnessDeps, 'sources'>,
    Pick<TestDeps, 'readTables'> {
  sources: DataSourceRepository;
  issues: IssueRepository;
  reportReader: ReportReaderDeps;
}

const MAX_TABLES = 50;
/** Behind a model, a report or a dashboard. */
const MAX_TABLES_BEHIND = 200;
const FRESHNESS_AT_ONCE = 20;

/** The quality of some tables together. */
export async function reportStatus(deps: Deps, principal: Principal, query: ReportStatusQuery): Promise<ReportStatus> {
  const { workspaceId } = principal;
  const suggestsSources = isPermitted('data-sources:read', principal);
  const tables = await tablesOf({ ...deps, suggestsSources }, principal, query);
  const keys = new Set(tables.map(tableKey));
  const scores = (await scoredTables(deps, workspaceId)).filter((score) => keys.has(score.tableKey));
  const issues = (await allIssues(deps.issues, workspaceId)).filter(
    (issue) => (issue.status === 'open' || issue.status === 'in_progress') && keys.has(tableKey(issue)),
  );
  const freshness = await freshnessOfAll(deps, principal, tables);
  const shown = tables.map((table, index) => {
    const key = tableKey(table);
    return {
      table,
      score: scores.find((score) => score.tableKey === key)?.score ?? null,
      freshness: freshness[index]!,
      openIssues: issues.filter((issue) => tableKey(issue) === key).length,
    };
  });
  return {
    ...scoreTables(scores),
    tests: sum(scores, ({ tests }) => tests),
    unscored: shown.filter(({ score }) => score === null).length,
    asOf: deps.now().toISOString(),
    trend: await readTrend(deps, workspaceId, keys),
    freshness: worstFreshness(shown.map(({ freshness }) => freshness)),
    issues: issueCounts(issues),
    tables: shown.map(({ table, score, freshness, openIssues }) => ({
      ...table,
      score,
      freshness: freshness.status,
      openIssues,
    })),
  };
}

async function freshnessOfAll(deps: Deps, principal: Principal, tables: readonly CheckedTable[]): Promise<Freshness[]> {
  const all: Freshness[] = [];
  for (let start = 0; start < tables.length; start += FRESHNESS_AT_ONCE) {
    const some = tables.slice(start, start + FRESHNESS_AT_ONCE);
    all.push(...(await Promise.all(some.map((table) => tableFreshness(deps, principal, table)))));
  }
  return all;
}

/** The tables behind a report or a dashboard as the caller sees it. Throws `DASHBOARD_NOT_FOUND`. */
async function tablesBehind(deps: Deps, principal: Principal, id: string): Promise<CheckedTable[]> {
  const tables = new Map<string, CheckedTable>();
  for (const card of (await blocksOf(deps, principal, id)) ?? (await cardsOf(deps, principal, id))) {
    for (const table of await tablesOfCard(deps, principal.workspaceId, card)) tables.set(tableKey(table), table);
    assertFew(tables.size);
  }
  return [...tables.values()];
}

/** Throws `LIST_TOO_LARGE`: each table costs several reads. */
function assertFew(tables: number): void {
  if (tables <= MAX_TABLES_BEHIND) return;
  const detail = `There are more than ${MAX_TABLES_BEHIND} tables. Ask for the status of some of them with tableNames.`;
  throw new AppError('LIST_TOO_LARGE', { detail });
}

/** Undefined if there is no such report. */
async function blocksOf(
  { reportReader }: Deps,
  principal: Principal,
  id: string,
): Promise<readonly ReadingCard[] | undefined> {
  const report = await seenReport(reportReader, { principal, id }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'REPORT_NOT_FOUND') return undefined;
    throw error;
  });
  return report?.layout.blocks.filter(isDataBlock).map(({ chartSpec }) => ({ chartSpec, savedQueryId: null }));
}

async function cardsOf(deps: Deps, principal: Principal, id: string): Promise<readonly ReadingCard[]> {
  const { state, sight } = await seenDashboard(deps, { principal, id });
  return ((await publishedFor(deps, state, sight)) ?? state).cards;
}

async function tablesOf(
  deps: Deps & TableDeps,
  principal: Principal,
  { tableNames, modelId, reportId }: ReportStatusQuery,
): Promise<CheckedTable[]> {
  const { workspaceId } = principal;
  if ([tableNames, modelId, reportId].filter((each) => each !== undefined).length !== 1) {
    throw invalid('/query/tableNames', 'REQUIRED', 'is required unless `modelId` or `reportId` is given');
  }
  if (reportId !== undefined) return tablesBehind(deps, principal, reportId);
  if (modelId !== undefined) {
    const tables = modelTables(await deps.definitions.read({ workspaceId, modelId }));
    assertFew(tables.length);
    return tables;
  }
  const names = [...new Set(tableNames!.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  if (names.length === 0 || names.length > MAX_TABLES) {
    throw invalid('/query/tableNames', 'MAX_ITEMS', `must have between 1 and ${MAX_TABLES} names`);
  }
  const found = await Promise.all(names.map((tableName) => findTable(deps, workspaceId, { tableName })));
  return found.map(({ sourceId, schemaName, tableName }) => ({ sourceId, schemaName, tableName }));
}

const invalid = (pointer: string, code: string, message: string) =>
  new AppError('VALIDATION_FAILED', { errors: [{ pointer, code, message }] });

/** A stale table makes the whole stale, and an unknown one makes a fresh whole unknown. */
function worstFreshness(all: readonly Freshness[]): Freshness {
  const order = ['stale', 'unknown', 'fresh'];
  const [worst] = [...all].sort(
    (a, b) => order.indexOf(a.status) - order.indexOf(b.status) || ((a.staleAt ?? '') < (b.staleAt ?? '') ? -1 : 1),
  );
  return worst ?? UNKNOWN_FRESHNESS;
}

function issueCounts(issues: readonly QualityIssue[]): ReportStatus['issues'] {
  const bySeverity = Object.fromEntries(
    SEVERITIES.map((severity) => [severity, issues.filter((issue) => issue.severity === severity).length]),
  );
  return {
    open: issues.length,
    worstSeverity: SEVERITIES.find((severity) => bySeverity[severity]! > 0) ?? null,
    bySeverity,
  };
}
