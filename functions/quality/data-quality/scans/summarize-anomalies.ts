import { type Anomaly, type ScannedTableState, visibilityOf } from '../../../../shared/domains/quality/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { pageOf } from '../../../../shared/platform/storage/page.ts';
import { type FreshnessDeps, scannedTables, tableFreshness } from '../scores/freshness.ts';
import type { AnomalySummary } from './schemas.ts';

/** What is unusual about the tables that have been scanned. */
export async function summarizeAnomalies(
  deps: FreshnessDeps,
  principal: Principal,
  page: { limit: number; offset: number },
): Promise<AnomalySummary> {
  const { workspaceId } = principal;
  const states = await scannedTables(deps, workspaceId);
  const { items, ...part } = pageOf(states, page, (state) => state);
  const tables = await Promise.all(
    items.map(async (state) => {
      const { sourceId, schemaName, tableName, scanId, scannedAt, checks } = state;
      return {
        ...{ sourceId, schemaName, tableName, scanId, scannedAt },
        comparedDays: checks.days,
        freshness: (await tableFreshness(deps, principal, state)).status,
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
      freshness: tables.filter(({ freshness }) => freshness === 'stale').length,
    },
    tables,
    ...part,
  };
}

/** Without the columns that labels hide, and without figures for a caller who may not see all rows. */
async function visibleAnomalies(deps: FreshnessDeps, principal: Principal, state: ScannedTableState) {
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
