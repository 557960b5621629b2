import { createHash } from 'node:crypto';
import type { Principal } from '../../../platform/auth/principal.ts';
import { type ChartCheckDeps, readsOf } from '../../boards/charts/index.ts';
import { modelOrNone, type SourcePlace } from '../../semantics/models/index.ts';
import {
  fieldsDeniedByLabel,
  hasLabels,
  lastingClass,
  protectedAmong,
  type Reader,
  type RightsDeps,
  readerOnce,
  tableRights,
} from '../../semantics/row-rights/index.ts';
import type { BlockSource, BlockSourceDeps } from './block-sources.ts';
import { presentTables, type RightsReadDeps, type TextReads } from './quoted-tables.ts';
import type { SectionRecord, TextRights } from './records.ts';

export interface RightsClassDeps {
  charts: ChartCheckDeps & { rights: RightsDeps };
  sources: BlockSourceDeps;
}

/** The class of those who see all rows and columns. */
export const SEES_ALL = 'all';

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
  return classOfTables(deps, principal, await Promise.all(tables));
}

/** The class of the reader on some sources. */
export async function classOf(
  { charts }: Pick<RightsClassDeps, 'charts'>,
  principal: Principal,
  sources: readonly BlockSource[],
): Promise<string | null> {
  const found = await Promise.all(sources.map((source) => readsOf(charts, principal.workspaceId, source)));
  if (found.some((read) => read === undefined)) return null;
  const tables = found
    .flatMap((reads) => reads ?? [])
    .map(({ sourceId, places, modelId }) => ({ sourceId, tables: places, models: [modelId ?? []].flat() }));
  return classOfTables({ charts }, principal, tables);
}

async function classOfTables(
  { charts }: RightsReadDeps,
  principal: Principal,
  sources: readonly { sourceId: string; tables: readonly SourcePlace[] | 'all'; models: readonly string[] }[],
): Promise<string | null> {
  const { workspaceId } = principal;
  const reader = readerOnce(charts.rights.table, principal);
  const prints = new Set<string>();
  for (const { sourceId, tables, models } of sources) {
    const seen = lastingClass(await tableRights(charts.rights, { workspaceId, sourceId, tables, reader }));
    if (seen !== SEES_ALL) prints.add(`${sourceId}#${seen}`);
    for (const modelId of models) {
      const denied = await deniedIn(charts.rights, { workspaceId, modelId }, reader);
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
