import type { Principal } from '../../../platform/auth/principal.ts';
import { hiddenTables } from './hidden-tables.ts';
import type { RightsDeps } from './table-rights.ts';

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
  const sources = sourceIds.map((sourceId) => ({ sourceId, tables: 'all' as const }));
  return (await hiddenTables(deps, principal, { sources, datasets })).length > 0;
}
