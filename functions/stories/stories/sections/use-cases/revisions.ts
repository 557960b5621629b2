import type { RichText } from '../../../../../shared/data/rich-text/index.ts';
import {
  actedOn,
  findRevision,
  isHidden,
  listRevisions,
  mayReadUnchecked,
  placeOf,
  type Revision,
  type Section,
} from '../../../../../shared/domains/stories/stories/index.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import type { NamedSection, StoryDeps } from '../../use-cases/context.ts';

type Shown = Omit<Revision, 'visibility' | 'rightsClass'>;

/** Throws `STORY_NOT_FOUND`. */
export async function listSectionRevisions(deps: StoryDeps, named: NamedSection): Promise<{ items: Shown[] }> {
  const { state } = await actedOn(deps, named, 'contributor');
  const found = await listRevisions(deps.table, placeOf(state.record), named.sectionId);
  const items = found
    .filter((revision) => isFor(named.principal, revision))
    .map((revision) => {
      const { visibility: _visibility, rightsClass: _class, ...shown } = revision;
      // Whether a reader may see it depends on its text, which a list does not read.
      const isOpen = mayReadUnchecked(named.principal, { ...revision, editedBy: revision.by });
      return isOpen ? shown : { ...shown, title: null };
    });
  return { items };
}

/** Throws `STORY_NOT_FOUND` or `STORY_REVISION_NOT_FOUND`. */
export async function getSectionRevision(
  deps: StoryDeps,
  { revisionId, ...named }: NamedSection & { revisionId: string },
): Promise<Shown & { content: RichText }> {
  const { state } = await actedOn(deps, named, 'contributor');
  const found = await findRevision(deps.table, placeOf(state.record), { sectionId: named.sectionId, revisionId });
  if (!found || !isFor(named.principal, found)) throw new AppError('STORY_REVISION_NOT_FOUND');
  const { visibility, rightsClass, ...shown } = found;
  const text = { ...shown, visibility, rightsClass, editedBy: found.by } as unknown as Section;
  if (await isHidden(deps, named.principal, text)) throw new AppError('STORY_REVISION_NOT_FOUND');
  return shown;
}

/** A refused text belongs to the person who wrote it. */
const isFor = ({ userId }: Principal, { reason, by }: Revision): boolean => reason !== 'refused' || by === userId;
