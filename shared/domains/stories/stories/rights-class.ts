import { createHash } from 'node:crypto';
import type { RichText } from '../../../data/rich-text/index.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { type ChartCheckDeps, readsOf } from '../../boards/charts/index.ts';
import { protectedAmong, type RightsDeps, readerOnce, tableRights } from '../../semantics/row-rights/index.ts';
import { type BlockSource, type BlockSourceDeps, blockSources } from './block-sources.ts';
import type { Section, SectionRecord } from './records.ts';

export interface RightsClassDeps {
  charts: ChartCheckDeps & { rights: RightsDeps };
  sources: BlockSourceDeps;
}

/** The class of those who see all rows and columns. */
export const SEES_ALL = 'all';

/**
 * What the reader sees of the rows of the live blocks of a text, as a class: readers of the same class see the same
 * rows. Null if a source cannot be resolved, so that nothing is known.
 */
export async function rightsClassOf(
  deps: RightsClassDeps,
  principal: Principal,
  content: RichText,
): Promise<string | null> {
  const sources = await blockSources(deps.sources, principal.workspaceId, content);
  return sources === 'unknown' ? null : classOf(deps, principal, sources);
}

/** The class of the reader on some sources. */
export async function classOf(
  { charts }: RightsClassDeps,
  principal: Principal,
  sources: readonly BlockSource[],
): Promise<string | null> {
  const { workspaceId } = principal;
  const reader = readerOnce(charts.rights.table, principal);
  const prints = new Set<string>();
  for (const source of sources) {
    const read = await readsOf(charts, workspaceId, source);
    if (!read) return null;
    const { sourceId, places: tables } = read;
    const { fingerprint } = await tableRights(charts.rights, { workspaceId, sourceId, tables, reader });
    if (fingerprint !== SEES_ALL) prints.add(`${sourceId}#${fingerprint}`);
  }
  if (prints.size === 0) return SEES_ALL;
  return createHash('sha256')
    .update(JSON.stringify([...prints].sort()))
    .digest('base64url');
}

/** Whether models restrict who may see the rows of a live block of the text, or that is not known. */
export async function isProtectedText(
  { charts, sources: deps }: RightsClassDeps,
  workspaceId: string,
  content: RichText,
): Promise<boolean> {
  const sources = await blockSources(deps, workspaceId, content);
  if (sources === 'unknown') return true;
  for (const source of sources) {
    const read = await readsOf(charts, workspaceId, source);
    if (!read) return true;
    const { sourceId, places } = read;
    if ((await protectedAmong(charts.rights, { workspaceId, sourceId, places })).length > 0) return true;
  }
  return false;
}

/** Whether the text of a section is hidden from the reader. */
export async function isHidden(deps: RightsClassDeps, principal: Principal, section: Section): Promise<boolean> {
  if (mayReadUnchecked(principal, section)) return false;
  const own = await rightsClassOf(deps, principal, section.content);
  return own === null || (own !== SEES_ALL && own !== section.rightsClass);
}

/** Whether no rights have to be read: everyone sees the section, or the reader has written its text. */
export const mayReadUnchecked = (
  { userId, kind }: Principal,
  { visibility, editedBy }: Pick<SectionRecord, 'visibility' | 'editedBy'>,
): boolean => visibility === 'everyone' || (kind === 'user' && editedBy === userId);
