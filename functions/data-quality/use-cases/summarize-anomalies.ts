import { datasetRepository } from '../../../shared/domains/datasets/index.ts';
import { DATASETS } from '../../../shared/domains/models/index.ts';
import {
  type Anomaly,
  listScannedTables,
  nameOfTable,
  type ScannedTableState,
  type VisibilityDeps,
  visibilityOf,
} from '../../../shared/domains/quality/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { pageOf } from '../../../shared/platform/storage/page.ts';
import type { AnomalySummary } from '../scan-schemas.ts';
import { scannedFreshness } from './scanned-freshness.ts';
import { datasetFreshness, type ScoreDeps } from './scores.ts';

type Deps = ScoreDeps & VisibilityDeps;

/** What is unusual about the tables that have been scanned. */
export async function summarizeAnomalies(
  deps: Deps,
  principal: Principal,
  page: { limit: number; offset: number },
): Promise<AnomalySummary> {
  const { workspaceId } = principal;
  const states = (await listScannedTables(deps.table, workspaceId)).sort(byName);
  const { items, ...part } = pageOf(states, page, (state) => state);
  const freshness = await freshnessOfDatasets(deps, workspaceId, items);
  const tables = await Promise.all(
    items.map(async (state) => {
      const { sourceId, schemaName, tableName, scanId, scannedAt, checks } = state;
      return {
        ...{ sourceId, schemaName, tableName, scanId, scannedAt },
        comparedDays: checks.days,
        freshness:
          sourceId === DATASETS
            ? (freshness.get(tableName) ?? ('unknown' as const))
            : (await scannedFreshness(deps, principal, state)).status,
        anomalies: await visibleAnomalies(deps, principal, state),
      };
    }),
  );
  const all = states.flatMap(({ checks }) => checks.anomalies);
  return {
    asOf: deps.now().toISOString(),
    counts: {
      volume: all.filter(({ kind }) => kind === 'volume').length,
      distribution: all.filter(({ kind }) => kind !== 'volume').length,
      freshness: [...freshness.values()].filter((status) => status === 'stale').length,
    },
    tables,
    ...part,
  };
}

const byName = (a: ScannedTableState, b: ScannedTableState) => (nameOfTable(a) < nameOfTable(b) ? -1 : 1);

async function freshnessOfDatasets(deps: Deps, workspaceId: string, states: readonly ScannedTableState[]) {
  const names = states.flatMap(({ sourceId, tableName }) => (sourceId === DATASETS ? [tableName] : []));
  const datasets = await datasetRepository(deps.table).findMany(workspaceId, names);
  const found = await Promise.all(datasets.map((dataset) => datasetFreshness(deps, dataset)));
  return new Map(found.map(({ tableName, status }) => [tableName, status]));
}

/** Without the columns that labels hide, and without figures for a caller who may not see all rows. */
async function visibleAnomalies(deps: Deps, principal: Principal, state: ScannedTableState) {
  const { anomalies } = state.checks;
  if (anomalies.length === 0) return [];
  const { seesRows, isHidden } = await visibilityOf(deps, principal, state);
  const shown = anomalies.filter(({ columnName }) => columnName === null || !isHidden(columnName));
  return seesRows ? shown : shown.map(withoutFigures);
}

const withoutFigures = ({ kind, columnName, season }: Anomaly) => ({
  ...{ kind, columnName, season },
  ...{ observed: null, expected: null, expectedLow: null, expectedHigh: null, score: null },
});
