import { createHash } from 'node:crypto';
import type { Principal } from '../../../platform/auth/principal.ts';
import { modelOrNone, type SourcePlace } from '../../semantics/models/index.ts';
import {
  fieldsDeniedByLabel,
  hasLabels,
  lastingClass,
  type Reader,
  type RightsDeps,
  readerOnce,
  tableRights,
} from '../../semantics/row-rights/index.ts';
import type { ChartCheckDeps } from './chart-reading.ts';
import type { ChartQuery } from './chart-spec.ts';
import { readsOf } from './protected-source.ts';

/** The class of those who see all rows and columns. */
export const SEES_ALL = 'all';

/** Tables of one data source, and the models through which they are read. */
export interface ReadTables {
  sourceId: string;
  tables: readonly SourcePlace[] | 'all';
  models: readonly string[];
}

/**
 * What the reader sees of some sources, as a class: readers of the same class see the same rows and fields. Null if one
 * of the sources is gone.
 */
export async function classOfSources(
  deps: ChartCheckDeps & { rights: RightsDeps },
  principal: Principal,
  sources: readonly ChartQuery['source'][],
): Promise<string | null> {
  const found = await Promise.all(sources.map((source) => readsOf(deps, principal.workspaceId, source)));
  if (found.some((read) => read === undefined)) return null;
  const tables = found
    .flatMap((reads) => reads ?? [])
    .map(({ sourceId, places, modelId }) => ({ sourceId, tables: places, models: [modelId ?? []].flat() }));
  return classOfTables(deps.rights, principal, tables);
}

/** The same for tables; null if a model is deleted, because nothing keeps the labels of its calculated fields. */
export async function classOfTables(
  rights: RightsDeps,
  principal: Principal,
  sources: readonly ReadTables[],
): Promise<string | null> {
  const { workspaceId } = principal;
  const reader = readerOnce(rights.table, principal);
  const prints = new Set<string>();
  for (const { sourceId, tables, models } of sources) {
    const seen = lastingClass(await tableRights(rights, { workspaceId, sourceId, tables, reader }));
    if (seen !== SEES_ALL) prints.add(`${sourceId}#${seen}`);
    for (const modelId of models) {
      const denied = await deniedIn(rights, { workspaceId, modelId }, reader);
      if (denied === null) return null;
      if (denied.length > 0) prints.add(`${modelId}#${denied.join('#')}`);
    }
  }
  if (prints.size === 0) return SEES_ALL;
  return createHash('sha256')
    .update(JSON.stringify([...prints].sort()))
    .digest('base64url');
}

/** The fields of a model that their labels keep from the reader; null if the model is deleted. */
async function deniedIn(
  { definitions }: RightsDeps,
  place: { workspaceId: string; modelId: string },
  reader: () => Promise<Reader>,
): Promise<string[] | null> {
  const definition = await modelOrNone(definitions, place);
  if (!definition) return null;
  return hasLabels(definition) ? fieldsDeniedByLabel(definition, await reader()).sort() : [];
}
