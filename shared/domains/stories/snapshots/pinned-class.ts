import { createHash } from 'node:crypto';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type ChartDeps, SEES_ALL } from '../../boards/charts/index.ts';
import { DATASETS } from '../../semantics/models/index.ts';
import { deniedFields, lastingClass, readerOnce, tableRights } from '../../semantics/row-rights/index.ts';
import type { PinnedClass, PinnedSource } from './pins.ts';
import type { ResolvedSource } from './resolve-source.ts';

/**
 * Null if that is not known, as when a dataset has got another name, so that its policies are about another one.
 */
export async function pinnedClass(
  deps: ChartDeps,
  principal: Principal,
  { from, definitions }: ResolvedSource,
): Promise<PinnedClass | null> {
  if (!(await areSame(deps, principal.workspaceId, from))) return null;
  const reader = readerOnce(deps.rights.table, principal);
  const seen = await Promise.all(
    from.reads.map(async ({ sourceId, places, modelId }) => {
      // A view of a database may show rows of any other of its tables.
      const tables = sourceId === DATASETS ? places : 'all';
      const rights = await tableRights(deps.rights, { workspaceId: principal.workspaceId, sourceId, tables, reader });
      const definition = definitions.find(({ model }) => model.id === modelId);
      const denied = definition ? [...deniedFields(definition, rights, await reader())].sort() : [];
      return { sourceId, now: rights.fingerprint, lasting: lastingClass(rights), denied };
    }),
  );
  const named = (when: 'now' | 'lasting'): string => {
    if (seen.every((each) => each[when] === SEES_ALL && each.denied.length === 0)) return SEES_ALL;
    const parts = seen.map((each) => [each.sourceId, each[when], each.denied]);
    return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  };
  return { now: named('now'), lasting: named('lasting') };
}

/** Whether the datasets still have their names, and the data sources exist. */
async function areSame(deps: ChartDeps, workspaceId: string, { reads, datasets }: PinnedSource): Promise<boolean> {
  const found = await deps.datasets.getMany(
    workspaceId,
    datasets.map(({ id }) => id),
  );
  if (!datasets.every(({ id, name }) => found.some((each) => each.id === id && each.name === name))) return false;
  const sources = new Set(reads.flatMap(({ sourceId }) => (sourceId === DATASETS ? [] : [sourceId])));
  const known = await Promise.all([...sources].map((sourceId) => exists(deps, workspaceId, sourceId)));
  return known.every(Boolean);
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
