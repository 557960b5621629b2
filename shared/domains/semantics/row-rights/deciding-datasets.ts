import { isPermitted } from '../../../platform/auth/permissions.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { findTables, listed } from './hidden-tables.ts';
import { decidedBy } from './read-by-policies.ts';
import { readerOnce } from './reader.ts';
import type { RightsDeps } from './table-rights.ts';

/**
 * For whatever decides which rows a dataset of the name holds. Where policies show rows of other datasets by those of
 * this one, a person who may write it could show themselves all of theirs. Throws `FORBIDDEN` unless the caller may see
 * all of their rows anyway, or manages policies.
 */
export async function requireMayDecide(
  deps: RightsDeps,
  principal: Principal,
  written: readonly string[],
): Promise<void> {
  if (written.length === 0 || isPermitted('model-policies:manage', principal)) return;
  const { workspaceId } = principal;
  const datasets = await decidedBy(deps, workspaceId, written);
  if (datasets.length === 0) return;
  const reader = readerOnce(deps.table, principal);
  const tables = await findTables(
    deps,
    { workspaceId, reader, counted: ({ restricted }) => restricted.filter(({ rows }) => rows !== 'all') },
    { sources: [], datasets },
  );
  if (tables.length === 0) return;
  throw new AppError('FORBIDDEN', {
    detail: `Row-level security decides by the rows of ${listed(written)} who may see rows of ${listed(tables)}, and hides some of these from you. Ask a workspace admin to make the change.`,
  });
}
