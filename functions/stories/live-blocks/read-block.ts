import type { DrawDeps, Reading } from '../../../shared/domains/boards/cards/index.ts';
import { type BlockRowsDeps, blockCard } from '../../../shared/domains/stories/live-blocks/index.ts';
import { type StoryView, type ViewedStoryDeps, viewedBlock } from '../../../shared/domains/stories/stories/index.ts';
import type { JsonText } from '../../../shared/platform/http/json-text.ts';
import { openedCardText } from '../../boards/common/card-results.ts';

export type ReadBlockDeps = BlockRowsDeps & { stories: ViewedStoryDeps };

/** Throws `STORY_NOT_FOUND`, `STORY_BLOCK_NOT_FOUND`, and what reading a card throws. */
export async function readBlock(
  deps: ReadBlockDeps & DrawDeps,
  { id, blockId, view, ...reading }: Reading & { id: string; blockId: string; view?: StoryView | undefined },
): Promise<JsonText> {
  const { principal } = reading;
  const viewed = await viewedBlock(deps.stories, { principal, id, blockId, view });
  return openedCardText(deps, await blockCard(deps, principal, viewed), reading, { blockId });
}
