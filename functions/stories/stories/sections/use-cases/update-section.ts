import { mergeRichText, type RichText, repeatedId } from '../../../../../shared/data/rich-text/index.ts';
import { blockIdsBeside, type Section, storyPlaceOf } from '../../../../../shared/domains/stories/stories/index.ts';
import { AppError, type Issue } from '../../../../../shared/platform/errors/app-error.ts';
import type { NamedSection, StoryDeps } from '../../use-cases/context.ts';
import { readContent } from '../../use-cases/read-content.ts';
import { showSection } from '../../use-cases/views.ts';
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
    typed: (section) => typedText(section, change, baseEditSeq),
    async edit(edited, typed) {
      merged = {};
      const { section } = edited;
      const isStale = baseEditSeq !== undefined && baseEditSeq !== section.editSeq;
      const content = given === undefined ? undefined : typed!.content;
      const edit: SectionEdit = { ...members, content };
      if (content) assertUnique(content, edited);
      if (!isStale || content === undefined) return edit;
      merged = { merged: true, mergedFrom: baseEditSeq };
      return { ...edit, content: await mergedText(deps, edited, content, baseEditSeq) };
    },
  });
  const { section, ordinal, lock, overwrote } = result;
  const shown = await showSection(deps, named.principal, section, { storyId: named.id, ordinal, lock });
  return { ...shown, ...merged, ...(overwrote && { overwrote }) };
}

function typedText(
  section: Section | undefined,
  { title, content }: UpdateSection,
  baseEditSeq: number | undefined,
): Typed | undefined {
  const isWhole = content !== undefined || (section !== undefined && title !== undefined);
  if (!isWhole) return undefined;
  // Whether the ids of its blocks are free is checked later, because others may take them meanwhile.
  const place = { at: '/content', takenIds: new Set<string>(), known: section?.content.content ?? [] };
  return {
    title: title === undefined ? (section?.title ?? null) : title,
    content: content === undefined ? section!.content : readContent(content, place),
    baseEditSeq: baseEditSeq ?? null,
  };
}

/** Throws `STORY_CONTENT_INVALID` for blocks with the ids of blocks in other sections. */
function assertUnique({ content }: RichText, { state, section }: EditedState): void {
  const takenIds = blockIdsBeside(state, section.id);
  const errors = content.flatMap(({ attrs }, index): Issue[] =>
    takenIds.has(attrs.id) ? [repeatedId(`/content/content/${index}/attrs/id`)] : [],
  );
  if (errors.length > 0) throw new AppError('STORY_CONTENT_INVALID', { errors });
}

async function mergedText(
  deps: StoryDeps,
  { state, section }: EditedState,
  mine: RichText,
  baseEditSeq: number,
): Promise<RichText> {
  const textSeq = section.kept.findLast((kept) => kept <= baseEditSeq);
  const isKnown = textSeq !== undefined && baseEditSeq < section.editSeq;
  const base = isKnown
    ? await deps.store.texts.find(storyPlaceOf(state.record), { id: section.id, textSeq })
    : undefined;
  const { title, content, editSeq: currentEditSeq } = section;
  const stale = { currentEditSeq, current: { title, content } };
  if (!base) throw new AppError('STALE_EDIT', { members: { ...stale, conflicts: [] } });
  const merge = mergeRichText(base, content, mine);
  if (!merge.isMerged) throw new AppError('STALE_EDIT', { members: { ...stale, conflicts: merge.conflicts } });
  try {
    return readContent(merge.content, { at: '/content', takenIds: blockIdsBeside(state, section.id) });
  } catch (cause) {
    if (!(cause instanceof AppError && cause.code === 'STORY_CONTENT_INVALID')) throw cause;
    // Both texts are valid, but together they are more than a section holds.
    throw new AppError('STALE_EDIT', { errors: cause.errors, members: { ...stale, conflicts: [] }, cause });
  }
}
