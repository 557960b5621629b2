import type { Principal } from '../../platform/auth/principal.ts';
import { DATASETS } from '../models/index.ts';
import { readerOnce } from './reader.ts';
import { type RightsDeps, tableRights } from './table-rights.ts';

/** Tables of which rows or values may be shown in a way that cannot be filtered. */
export interface ShownTables {
  /** Data sources, each with whatever it has. */
  sourceIds: readonly string[];
  /** Names of datasets. */
  datasets: readonly string[] | 'all';
}

/** Whether models keep anything of the tables from the caller. */
export async function restrictsAny(
  deps: RightsDeps,
  principal: Principal,
  { sourceIds, datasets }: ShownTables,
): Promise<boolean> {
  const { workspaceId } = principal;
  const reader = readerOnce(deps.table, principal);
  const tables = datasets === 'all' ? datasets : datasets.map((table) => ({ schema: '', table }));
  const found = await Promise.all([
    ...(tables.length === 0 ? [] : [tableRights(deps, { workspaceId, sourceId: DATASETS, tables, reader })]),
    ...sourceIds.map((sourceId) => tableRights(deps, { workspaceId, sourceId, tables: 'all', reader })),
  ]);
  return found.some(({ restricted }) => restricted.length > 0);
}
