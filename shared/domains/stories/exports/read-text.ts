import { type LiveBlock, liveBlocksOf } from '../../../data/rich-text/index.ts';
import { type DashboardOfCard, inlineValues, liveValues } from '../live-blocks/index.ts';
import { type SnapshotDeps, snapshotValues } from '../snapshots/index.ts';
import {
  type NamedStory,
  type Section,
  type StoryView,
  seenStory,
  type ViewedBlock,
  type ViewedStory,
  type ViewedStoryDeps,
  viewedText,
  visibleSections,
} from '../stories/index.ts';
import type { ShownValues } from './story-article.ts';

export type StoryContentDeps = SnapshotDeps & { stories: ViewedStoryDeps };

/** What the reader sees of a story, without its rows. */
export interface ReadText {
  /** Without the sections that are hidden from the reader. */
  viewed: ViewedStory;
  values: ShownValues;
  blocks: ViewedBlock[];
  /** Reads each dashboard once. */
  deps: SnapshotDeps;
}

/** Throws `STORY_NOT_FOUND`. */
export async function readText(
  deps: StoryContentDeps,
  { view, onError, ...named }: NamedStory & { view: StoryView; onError(error: unknown): void },
): Promise<ReadText> {
  const { principal } = named;
  const whole = await viewedText(deps.stories, await seenStory(deps.stories, named), view);
  const viewed = { ...whole, sections: await visibleSections(deps.stories, principal, whole.sections) };
  const reading = { ...deps, dashboardFor: readOnce(deps.dashboardFor) };
  const { record, version, mode, sections } = viewed;
  const isKept = version !== null && mode === 'snapshot';
  const reader = isKept ? snapshotValues(reading, principal, record) : liveValues(reading, principal);
  const values = await inlineValues(reader, sections, { onError });
  return {
    viewed,
    values: new Map([...values].map(([id, shown]) => [id, new Map(shown.map((value) => [value.id, value.now]))])),
    blocks: placedBlocks(sections).map((placed) => ({ record, version, mode, ...placed })),
    deps: reading,
  };
}

const placedBlocks = (sections: readonly Section[]): { section: Section; block: LiveBlock }[] =>
  sections.flatMap((section) => liveBlocksOf(section.content).map(({ part: block }) => ({ section, block })));

/** Blocks with cards of one dashboard share it. */
function readOnce(read: SnapshotDeps['dashboardFor']): SnapshotDeps['dashboardFor'] {
  const known = new Map<string, Promise<DashboardOfCard>>();
  return (principal, id) => {
    const found = known.get(id) ?? read(principal, id);
    known.set(id, found);
    return found;
  };
}
