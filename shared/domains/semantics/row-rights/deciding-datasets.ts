import { isPermitted } from '../../../platform/auth/permissions.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { findTables, listed } from './hidden-tables.ts';
import { type DecidedTable, decidedBy } from './read-by-policies.ts';
import { readerOnce } from './reader.ts';
import type { RightsDeps } from './table-rights.ts';

/** Names of datasets, and tables of databases. */
export interface Deciding {
  datasets: readonly string[];
  tables: readonly DecidedTable[];
}

/**
 * For whatever decides which rows these datasets hold, or the tables `by` whose rows others are shown. Where policies
 * show rows of others by these, a person who may write them could show themselves all of theirs. Throws `FORBIDDEN`
 * unless the caller may see all of their rows anyway, or manages policies.
 */
export async function requireMayDecide(deps: RightsDeps, principal: Principal, written: Deciding): Promise<void> {
  if (isPermitted('model-policies:manage', principal)) return;
  const { workspaceId } = principal;
  const datasets = await decidedBy(deps, workspaceId, written.datasets);
  const sources = written.tables.map(({ sourceId, place }) => ({ sourceId, tables: [place] }));
  if (datasets.length === 0 && sources.length === 0) return;
  const reader = readerOnce(deps.table, principal);
  const tables = await findTables(
    deps,
    { workspaceId, reader, counted: ({ restricted }) => restricted.filter(({ rows }) => rows !== 'all') },
    { sources, datasets },
  );
  if (tables.length === 0) return;
  const names = [...new Set([...written.datasets, ...written.tables.map(({ by }) => by.table)])];
  throw new AppError('FORBIDDEN', {
    detail: `Row-level security decides by the rows of ${listed(names)} who may see rows of ${listed(tables)}, and hides some of these from you. Ask a workspace admin to make the change.`,
  });
}
