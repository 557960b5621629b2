import type { RichText } from '../../../../../shared/data/rich-text/index.ts';
import {
  actedOn,
  findRevision,
  isHidden,
  listRevisions,
  type NamedStory,
  type Revision,
  type RevisionPlace,
  type StoryRecord,
  type StoryState,
  storyPlaceOf,
  TITLES,
  type TitleRevision,
} from '../../../../../shared/domains/stories/stories/index.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import type { NamedSection, StoryDeps } from '../../use-cases/context.ts';

type Shown = Omit<Revision, 'visibility' | 'reads' | 'rightsClass'>;

interface CursorPage {
  limit: number;
  cursor?: string | undefined;
}

interface RevisionPage<Kept> {
  items: Kept[];
  nextCursor: string | null;
}

/** Throws `STORY_NOT_FOUND` and the codes of `Cursors.open`. */
export async function listSectionRevisions(
  deps: StoryDeps,
  { limit, cursor, ...named }: NamedSection & CursorPage,
): Promise<RevisionPage<Shown>> {
  const { state } = await actedOn(deps, named, 'contributor');
  const page = { area: named.sectionId, userId: named.principal.userId, limit, cursor };
  const { items, nextCursor } = await pageOfRevisions<Revision>(deps, state.record, page);
  const isKeptBack = await keptBack(deps, named, state);
  const shown = items.map(async (revision): Promise<Shown> => {
    const { visibility: _visibility, reads: _reads, rightsClass: _class, ...about } = revision;
    return (await isKeptBack(revision)) ? { ...about, title: null } : about;
  });
  return { items: await Promise.all(shown), nextCursor };
}

/** Throws `STORY_NOT_FOUND` and the codes of `Cursors.open`. */
export async function listTitleRevisions(
  deps: StoryDeps,
  { limit, cursor, ...named }: NamedStory & CursorPage,
): Promise<RevisionPage<TitleRevision>> {
  const { state } = await actedOn(deps, named, 'editor');
  const page = { area: TITLES, userId: named.principal.userId, limit, cursor };
  return pageOfRevisions<TitleRevision>(deps, state.record, page);
}

async function pageOfRevisions<Kept extends RevisionPlace>(
  { table, cursors, now }: Pick<StoryDeps, 'table' | 'cursors' | 'now'>,
  record: StoryRecord,
  { area, userId, limit, cursor }: CursorPage & { area: string; userId: string },
): Promise<RevisionPage<Kept>> {
  const at = now();
  const scope = { workspaceId: record.workspaceId, list: ['story-revisions', record.id, area, userId] };
  const place = cursor === undefined ? undefined : await cursors.open(cursor, scope, at);
  const after = place?.after === undefined ? undefined : (JSON.parse(place.after) as RevisionPlace);
  const { items, last } = await listRevisions<Kept>(table, storyPlaceOf(record), { area, userId, limit, after });
  const asOf = place?.asOf ?? at.toISOString();
  return { items, nextCursor: last ? await cursors.seal({ asOf, after: JSON.stringify(last) }, scope, at) : null };
}

/** Throws `STORY_NOT_FOUND` or `STORY_REVISION_NOT_FOUND`. */
export async function getSectionRevision(
  deps: StoryDeps,
  { sectionId, revisionId, ...named }: NamedSection & { revisionId: string },
): Promise<Shown & { content: RichText }> {
  const { principal } = named;
  const { state } = await actedOn(deps, named, 'contributor');
  const place = storyPlaceOf(state.record);
  const found = await findRevision(deps.table, place, { sectionId, userId: principal.userId, revisionId });
  if (!found) throw new AppError('STORY_REVISION_NOT_FOUND');
  if (await (await keptBack(deps, { ...named, sectionId }, state))(found)) {
    throw new AppError('STORY_REVISION_NOT_FOUND');
  }
  const { visibility: _visibility, reads: _reads, rightsClass: _class, ...shown } = found;
  return shown;
}

/** Whether a kept text is hidden from the caller: by the rights that it had, or by those of the section now. */
async function keptBack(
  deps: StoryDeps,
  { principal, sectionId }: NamedSection,
  { sections, removed }: StoryState,
): Promise<(revision: Revision) => Promise<boolean>> {
  const now = sections.find(({ id }) => id === sectionId) ?? removed.get(sectionId);
  const isNowHidden = now !== undefined && (await isHidden(deps, principal, now));
  return async ({ by, visibility, reads, rightsClass }) => {
    if (principal.kind === 'user' && by === principal.userId) return false;
    return isNowHidden || isHidden(deps, principal, { visibility, reads, rightsClass, editedBy: by });
  };
}
