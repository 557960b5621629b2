import { type LiveBlock, liveBlocksOf } from '../../../data/rich-text/index.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type NamedStory, type SeenStory, type StoryReaderDeps, seenStory } from './reader.ts';
import type { Section, StoryMode, StoryRecord, StorySnapshot, StoryState } from './records.ts';
import { isHidden, type RightsClassDeps } from './rights-class.ts';
import { type StoryStore, storyPlaceOf } from './store.ts';
import type { StoryVersions } from './versions.ts';

export const VIEWS = ['draft', 'published'] as const;
export type StoryView = (typeof VIEWS)[number];

/** The state of the story that the reader gets. Only those who see the draft have a choice. */
export function viewOf({ state, sight }: SeenStory, wanted?: StoryView): StoryView {
  const isPublished = state.record.published !== null;
  return isPublished && (!sight.seesDraft || wanted === 'published') ? 'published' : 'draft';
}

export interface ViewedStoryDeps extends StoryReaderDeps, RightsClassDeps {
  store: Pick<StoryStore, 'read' | 'withContents'>;
  versions: Pick<StoryVersions, 'read'>;
}

interface Viewed {
  record: StoryRecord;
  /** The published version that the reader gets; null for the draft. */
  version: number | null;
  mode: StoryMode;
}

/** The text that a reader gets, with the sections that are hidden from the reader. */
export type ViewedStory = Viewed & StorySnapshot;

/** A live block of a story as a reader sees it. */
export interface ViewedBlock extends Viewed {
  section: Section;
  block: LiveBlock;
}

/** The draft, or the newest published version. */
export async function viewedText(
  { store, versions }: Pick<ViewedStoryDeps, 'store' | 'versions'>,
  seen: SeenStory,
  wanted?: StoryView,
): Promise<ViewedStory> {
  const { record, sections } = seen.state;
  const place = storyPlaceOf(record);
  if (viewOf(seen, wanted) === 'published') {
    const { version } = record.published!;
    return { record, version, ...(await versions.read(place, version)) };
  }
  const { title, summary, mode } = record;
  return { record, version: null, title, summary, mode, sections: await store.withContents(place, sections) };
}

/** Throws `STORY_NOT_FOUND`, or `STORY_BLOCK_NOT_FOUND`, also if the section of the block is hidden from the reader. */
export async function viewedBlock(
  deps: ViewedStoryDeps,
  { blockId, ...named }: NamedStory & { blockId: string; view?: StoryView | undefined },
): Promise<ViewedBlock> {
  const found = (await viewedBlocks(deps, { ...named, blockIds: [blockId] })).get(blockId);
  if (!found) throw new AppError('STORY_BLOCK_NOT_FOUND');
  return found;
}

/** Those of the blocks that exist and whose sections the reader sees. Throws `STORY_NOT_FOUND`. */
export async function viewedBlocks(
  deps: ViewedStoryDeps,
  { blockIds, view: wanted, ...named }: NamedStory & { blockIds: readonly string[]; view?: StoryView | undefined },
): Promise<Map<string, ViewedBlock>> {
  const seen = await seenStory(deps, named);
  const { state } = seen;
  const { record } = state;
  const place = storyPlaceOf(record);
  const version = viewOf(seen, wanted) === 'draft' ? null : record.published!.version;
  const { mode, sections } =
    version === null
      ? { mode: record.mode, sections: await draftSectionsWith(deps, state, blockIds) }
      : await deps.versions.read(place, version);
  const found = sections.map((section) => ({
    section,
    blocks: liveBlocksOf(section.content).filter(({ blockId }) => blockIds.includes(blockId)),
  }));
  const viewed = new Map<string, ViewedBlock>();
  for (const { section, blocks } of found) {
    if (blocks.length === 0 || (await isHidden(deps, named.principal, section))) continue;
    for (const { blockId, part: block } of blocks) viewed.set(blockId, { record, version, mode, section, block });
  }
  return viewed;
}

/** The texts of these sections are read, not those of all. */
function draftSectionsWith(
  { store }: Pick<ViewedStoryDeps, 'store'>,
  { record, sections }: StoryState,
  wanted: readonly string[],
): Promise<Section[]> {
  const found = sections.filter(({ blockIds }) => blockIds.some((id) => wanted.includes(id)));
  return store.withContents(storyPlaceOf(record), found);
}
