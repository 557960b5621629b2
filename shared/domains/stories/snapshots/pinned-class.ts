import { createHash } from 'node:crypto';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ChartDeps } from '../../boards/charts/index.ts';
import { DATASETS } from '../../semantics/models/index.ts';
import { deniedFields, lastingClass, readerOnce, tableRights } from '../../semantics/row-rights/index.ts';
import { SEES_ALL } from '../stories/index.ts';
import type { PinnedClass } from './pins.ts';
import type { ResolvedSource } from './resolve-source.ts';

/**
 * Null if that is not known, as when a dataset has got another name, so that its policies are about another one.
 */
export async function pinnedClass(
  deps: ChartDeps,
  principal: Principal,
  { from, definition }: ResolvedSource,
): Promise<PinnedClass | null> {
  const { workspaceId } = principal;
  const { sourceId, places, datasets } = from;
  if (sourceId === DATASETS) {
    const found = await deps.datasets.getMany(
      workspaceId,
      datasets.map(({ id }) => id),
    );
    if (!datasets.every(({ id, name }) => found.some((each) => each.id === id && each.name === name))) return null;
  } else if (!(await exists(deps, workspaceId, sourceId))) return null;
  const reader = readerOnce(deps.rights.table, principal);
  // A view of a database may show rows of any other of its tables.
  const tables = sourceId === DATASETS ? places : 'all';
  const rights = await tableRights(deps.rights, { workspaceId, sourceId, tables, reader });
  const denied = definition ? [...deniedFields(definition, rights, await reader())].sort() : [];
  const named = (seen: string): string => {
    if (seen === SEES_ALL && denied.length === 0) return SEES_ALL;
    return createHash('sha256')
      .update(JSON.stringify([sourceId, seen, denied]))
      .digest('base64url');
  };
  return { now: named(rights.fingerprint), lasting: named(lastingClass(rights)) };
}

async function exists({ live }: ChartDeps, workspaceId: string, sourceId: string): Promise<boolean> {
  try {
    await live.find(workspaceId, sourceId);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
