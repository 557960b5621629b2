import { mergeRichText, type RichText } from '../../../../../shared/data/rich-text/index.ts';
import { placeOf, type Section, type StoryState } from '../../../../../shared/domains/stories/stories/index.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import type { NamedSection, StoryDeps } from '../../use-cases/context.ts';
import { firstVisibility } from '../../use-cases/new-section.ts';
import { readContent } from '../../use-cases/read-content.ts';
import { shownSection } from '../../use-cases/views.ts';
import type { EditedSection, UpdateSection } from '../schemas.ts';
import { type EditedState, editSection, type SectionEdit, type Typed } from './edit-section.ts';

interface UpdateCommand extends NamedSection {
  change: UpdateSection;
  baseEditSeq?: number | undefined;
}

/**
 * Throws the codes of `editSection`, `STORY_CONTENT_INVALID`, and `STALE_EDIT` with the blocks that both sides have
 * changed.
 */
export async function updateSection(
  deps: StoryDeps,
  { change, baseEditSeq, ...named }: UpdateCommand,
): Promise<EditedSection> {
  let merged: Pick<EditedSection, 'merged' | 'mergedFrom'> = {};
  const { content: given, ...members } = change;
  const result = await editSection(deps, named, {
    activity: 'section_edited',
    typed: (section, state) => typedText(section, state, change, baseEditSeq),
    async edit(edited, typed) {
      merged = {};
      const { section } = edited;
      const isStale = baseEditSeq !== undefined && baseEditSeq !== section.editSeq;
      const content = given === undefined ? undefined : typed!.content;
      const edit: SectionEdit = { ...members, content };
      if (members.source !== undefined && members.source !== 'manual' && section.visibility === 'everyone') {
        const { workspaceId } = named.principal;
        edit.visibility = await firstVisibility(deps, workspaceId, members.source, content ?? section.content);
      }
      if (!isStale || content === undefined) return edit;
      merged = { merged: true, mergedFrom: baseEditSeq };
      return { ...edit, content: await mergedText(deps, edited, content, baseEditSeq) };
    },
  });
  const { section, ordinal, lock, overwrote } = result;
  const shown = await shownSection(deps, named.principal, section, { storyId: named.id, ordinal, lock });
  return { ...shown, ...merged, ...(overwrote && { overwrote }) };
}

function typedText(
  section: Section,
  state: StoryState,
  { title, content }: UpdateSection,
  baseEditSeq: number | undefined,
): Typed | undefined {
  if (content === undefined && title === undefined) return undefined;
  return {
    title: title === undefined ? section.title : title,
    content:
      content === undefined
        ? section.content
        : readContent(content, {
            at: '/content',
            takenIds: takenBeside(section, state),
            known: section.content.content,
          }),
    baseEditSeq: baseEditSeq ?? null,
  };
}

/** The ids of blocks in other sections. */
export const takenBeside = ({ id }: Pick<Section, 'id'>, { sections }: StoryState): ReadonlySet<string> =>
  new Set(sections.filter((each) => each.id !== id).flatMap(({ blockIds }) => blockIds));

/** Throws `STALE_EDIT`. */
async function mergedText(
  deps: StoryDeps,
  { state, section }: EditedState,
  mine: RichText,
  baseEditSeq: number,
): Promise<RichText> {
  const textSeq = section.kept.findLast((kept) => kept <= baseEditSeq);
  const isKnown = textSeq !== undefined && baseEditSeq < section.editSeq;
  const base = isKnown ? await deps.store.texts.find(placeOf(state.record), { id: section.id, textSeq }) : undefined;
  const { title, content, editSeq: currentEditSeq } = section;
  const stale = { currentEditSeq, current: { title, content } };
  if (!base) throw new AppError('STALE_EDIT', { members: { ...stale, conflicts: [] } });
  const merge = mergeRichText(base, content, mine);
  if (!merge.isMerged) throw new AppError('STALE_EDIT', { members: { ...stale, conflicts: merge.conflicts } });
  // Both sides together may have more than a section holds, or no block at all.
  return readContent(merge.content, { at: '/content', takenIds: takenBeside(section, state) });
}
