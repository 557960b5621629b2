import {
  type CheckedTable,
  type Freshness,
  freshnessOf,
  readScannedTable,
  tableKey,
  type VisibilityDeps,
  visibilityOf,
} from '../../../shared/domains/quality/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';

interface Deps extends VisibilityDeps {
  table: Table;
  now(): Date;
}

export const UNKNOWN_FRESHNESS: Freshness = {
  status: 'unknown',
  lastLoadedAt: null,
  expectedEvery: null,
  staleAt: null,
};

/**
 * How new the rows of a table of a data source are, by the newest dates that its scans found. Unknown to callers who may not see
 * all rows and the column of the dates; without the moments for those who may not see values.
 */
export async function scannedFreshness(deps: Deps, principal: Principal, table: CheckedTable): Promise<Freshness> {
  const { workspaceId } = principal;
  const { newest } = (await readScannedTable(deps.table, { workspaceId, tableKey: tableKey(table) })) ?? {};
  if (!newest) return UNKNOWN_FRESHNESS;
  const { seesRows, seesValues, isHidden } = await visibilityOf(deps, principal, table);
  if (!seesRows || isHidden(newest.columnName)) return UNKNOWN_FRESHNESS;
  const found = freshnessOf({ lastLoadedAt: newest.at.at(-1)!, schedule: null, loads: newest.at }, deps.now());
  return seesValues ? found : { ...found, lastLoadedAt: null, staleAt: null };
}
