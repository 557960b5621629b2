import type { Principal } from '../../../platform/auth/principal.ts';
import { type ChartCheckDeps, classOfTables, SEES_ALL } from '../../boards/charts/index.ts';
import { modelOrNone } from '../../semantics/models/index.ts';
import { hasLabels, protectedAmong, type RightsDeps } from '../../semantics/row-rights/index.ts';
import type { BlockSourceDeps } from './block-sources.ts';
import { presentTables, type RightsReadDeps, type TextReads } from './quoted-tables.ts';
import type { SectionRecord, TextRights } from './records.ts';

export interface RightsClassDeps {
  charts: ChartCheckDeps & { rights: RightsDeps };
  sources: BlockSourceDeps;
}

/**
 * What the reader sees of the rows that a text may quote, as a class: readers of the same class see the same rows and
 * fields. Null if that is not known, also once a model is deleted, because nothing keeps the labels of its calculated
 * fields.
 */
export async function rightsClassOf(
  deps: RightsReadDeps,
  principal: Principal,
  reads: TextReads,
): Promise<string | null> {
  if (reads === null) return null;
  const { workspaceId } = principal;
  const tables = reads.map(async (source) => ({
    sourceId: source.sourceId,
    models: source.models,
    tables: await presentTables(deps, workspaceId, source),
  }));
  return classOfTables(deps.charts.rights, principal, await Promise.all(tables));
}

/** Whether models restrict who may see the rows or fields that a text may quote, or that is not known. */
export async function quotesProtected(deps: RightsReadDeps, workspaceId: string, reads: TextReads): Promise<boolean> {
  if (reads === null) return true;
  for (const source of reads) {
    const places = await presentTables(deps, workspaceId, source);
    const { sourceId } = source;
    if ((await protectedAmong(deps.charts.rights, { workspaceId, sourceId, places })).length > 0) return true;
    for (const modelId of source.models) {
      const definition = await modelOrNone(deps.charts.rights.definitions, { workspaceId, modelId });
      if (!definition || hasLabels(definition)) return true;
    }
  }
  return false;
}

/** Whether the text of a section is hidden from the reader. */
export async function isHidden(deps: RightsReadDeps, principal: Principal, text: TextRights): Promise<boolean> {
  if (mayReadUnchecked(principal, text)) return false;
  const own = await rightsClassOf(deps, principal, text.reads);
  return own === null || (own !== SEES_ALL && own !== text.rightsClass);
}

/** Whether no rights have to be read: everyone sees the section, or the reader has written its text. */
const mayReadUnchecked = (
  { userId, kind }: Principal,
  { visibility, editedBy }: Pick<SectionRecord, 'visibility' | 'editedBy'>,
): boolean => visibility === 'everyone' || (kind === 'user' && editedBy === userId);
