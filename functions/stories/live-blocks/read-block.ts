import type { DrawDeps, Reading } from '../../../shared/domains/boards/cards/index.ts';
import { openBlock, type SnapshotDeps } from '../../../shared/domains/stories/snapshots/index.ts';
import { type StoryView, type ViewedStoryDeps, viewedBlock } from '../../../shared/domains/stories/stories/index.ts';
import type { JsonText } from '../../../shared/platform/http/json-text.ts';
import { openedCardText } from '../../boards/common/card-results.ts';

export type ReadBlockDeps = SnapshotDeps & DrawDeps & { stories: ViewedStoryDeps };

/** Throws `STORY_NOT_FOUND`, `STORY_BLOCK_NOT_FOUND`, and what `openBlock` throws. */
export async function readBlock(
  deps: ReadBlockDeps,
  { id, blockId, view, ...reading }: Reading & { id: string; blockId: string; view?: StoryView | undefined },
): Promise<JsonText> {
  const { principal, image: _image, ...asked } = reading;
  const viewed = await viewedBlock(deps.stories, { principal, id, blockId, view });
  const { snapshot, deps: own, ...opened } = await openBlock(deps, viewed, { ...asked, principal });
  return openedCardText({ ...deps, ...own }, opened, reading, { blockId, snapshot });
}
