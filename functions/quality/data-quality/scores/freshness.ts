import {
  type CheckedTable,
  datasetFreshness,
  freshnessOf,
  listScannedTables,
  nameOfTable,
  readScannedTable,
  type ScannedTableState,
  tableKey,
  tableOf,
  visibilityOf,
} from '../../../../shared/domains/quality/index.ts';
import { DATASETS } from '../../../../shared/domains/semantics/models/index.ts';
import type { OpaqueDeps } from '../../../../shared/domains/semantics/row-rights/index.ts';
import { type Dataset, datasetRepository } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { DataSourceRepository } from '../../../../shared/domains/warehouse/sources/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { Freshness, TableFreshness } from './schemas.ts';

export interface FreshnessDeps extends OpaqueDeps {
  table: Table;
  sources: Pick<DataSourceRepository, 'getMany'>;
  now(): Date;
}

export const UNKNOWN_FRESHNESS: Freshness = {
  status: 'unknown',
  lastLoadedAt: null,
  expectedEvery: null,
  staleAt: null,
  columnName: null,
};

/** The scanned tables by name, without those of data sources that were deleted. */
export async function scannedTables(
  { table, sources }: Pick<FreshnessDeps, 'table' | 'sources'>,
  workspaceId: string,
): Promise<ScannedTableState[]> {
  const states = await listScannedTables(table, workspaceId);
  const ids = new Set(states.map(({ sourceId }) => sourceId));
  ids.delete(DATASETS);
  const known = new Set((await sources.getMany(workspaceId, [...ids])).map(({ id }) => id));
  return states
    .filter(({ sourceId }) => sourceId === DATASETS || known.has(sourceId))
    .sort((a, b) => (nameOfTable(a) < nameOfTable(b) ? -1 : 1));
}

/** Datasets by name, and then the scanned tables of data sources. */
export async function freshnessPage(
  deps: FreshnessDeps,
  principal: Principal,
  { limit, offset }: { limit: number; offset: number },
): Promise<PageOf<TableFreshness>> {
  const { workspaceId } = principal;
  const page = await datasetRepository(deps.table).list(workspaceId, { limit, offset, sort: 'name' });
  const scanned = (await scannedTables(deps, workspaceId)).filter(({ sourceId }) => sourceId !== DATASETS);
  const total = page.total + scanned.length;
  const isShort = offset + page.items.length < page.total;
  const rest = isShort ? [] : scanned.slice(Math.max(0, offset - page.total), offset + page.limit - page.total);
  const items = await Promise.all([
    ...page.items.map((dataset) => ofDataset(deps, principal, dataset)),
    ...rest.map(async (state) => ({ ...tableOf(state), ...(await byRows(deps, principal, state)) })),
  ]);
  return { ...page, total, items };
}

/** How new the rows of a table are; unknown if the dataset is gone. */
export async function tableFreshness(
  deps: FreshnessDeps,
  principal: Principal,
  table: CheckedTable,
): Promise<Freshness> {
  if (table.sourceId !== DATASETS) return byRows(deps, principal, await scannedState(deps, principal, table));
  const dataset = await datasetRepository(deps.table).find(principal.workspaceId, table.tableName);
  if (!dataset) return UNKNOWN_FRESHNESS;
  const { status, lastLoadedAt, expectedEvery, staleAt, columnName } = await ofDataset(deps, principal, dataset);
  return { status, lastLoadedAt, expectedEvery, staleAt, columnName };
}

const scannedState = ({ table }: FreshnessDeps, { workspaceId }: Principal, checked: CheckedTable) =>
  readScannedTable(table, { workspaceId, tableKey: tableKey(checked) });

/**
 * By the loads, and by the rows if a scan names a column for that: an overdue load counts, however new the rows are.
 */
async function ofDataset(deps: FreshnessDeps, principal: Principal, dataset: Dataset): Promise<TableFreshness> {
  const place = { sourceId: DATASETS, schemaName: '', tableName: dataset.name };
  const loads = { ...(await datasetFreshness(deps.table, dataset, deps.now())), columnName: null };
  const state = await scannedState(deps, principal, place);
  const isMeasured = state?.newest?.chosen !== undefined && state.datasetId === dataset.id;
  const rows = isMeasured ? await byRows(deps, principal, state) : UNKNOWN_FRESHNESS;
  return { ...place, ...(loads.status === 'stale' || rows.status === 'unknown' ? loads : rows) };
}

/**
 * By the newest dates that scans found. Unknown to callers who may not see all rows and the column of the dates;
 * without the moments for those who may not see values.
 */
async function byRows(
  deps: FreshnessDeps,
  principal: Principal,
  state: ScannedTableState | undefined,
): Promise<Freshness> {
  const { newest, scannedAt: readAt } = state ?? {};
  if (!newest || newest.at.length === 0) return UNKNOWN_FRESHNESS;
  const { columnName, at: loads, chosen } = newest;
  const { seesRows, seesValues, isHidden } = await visibilityOf(deps, principal, state!);
  if (!seesRows || isHidden(columnName)) return UNKNOWN_FRESHNESS;
  const lastLoadedAt = loads.at(-1)!;
  const { maxAgeMinutes } = chosen ?? {};
  const found = freshnessOf({ lastLoadedAt, schedule: null, loads, maxAgeMinutes, readAt }, deps.now());
  return { ...found, columnName, ...(seesValues ? {} : { lastLoadedAt: null, staleAt: null }) };
}
