import type { DrawDeps, Reading } from '../../../shared/domains/boards/cards/index.ts';
import { dashboardsOnce } from '../../../shared/domains/stories/live-blocks/index.ts';
import { openBlock, type SnapshotDeps } from '../../../shared/domains/stories/snapshots/index.ts';
import {
  type NamedStory,
  type StoryView,
  type ViewedBlock,
  type ViewedStoryDeps,
  viewedBlock,
  viewedBlocks,
} from '../../../shared/domains/stories/stories/index.ts';
import { inParallel } from '../../../shared/platform/concurrency/in-parallel.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { JsonText } from '../../../shared/platform/http/json-text.ts';
import { MAX_RESULTS_BYTES, type NoticeDeps, openedCardText, resultWriter } from '../../boards/common/card-results.ts';
import type { ReadBlocks } from './schemas.ts';

export type ReadBlockDeps = SnapshotDeps & DrawDeps & NoticeDeps & { stories: ViewedStoryDeps };

/** Throws `STORY_NOT_FOUND`, `STORY_BLOCK_NOT_FOUND`, and what `openBlock` throws. */
export async function readBlock(
  deps: ReadBlockDeps,
  { id, blockId, view, ...reading }: Reading & { id: string; blockId: string; view?: StoryView | undefined },
): Promise<JsonText> {
  const viewed = await viewedBlock(deps.stories, { principal: reading.principal, id, blockId, view });
  return blockText(deps, viewed, reading);
}

/** Throws what `openBlock` throws. */
async function blockText(deps: ReadBlockDeps, viewed: ViewedBlock, reading: Reading): Promise<JsonText> {
  const { image: _image, ...asked } = reading;
  const { snapshot, deps: own, ...opened } = await openBlock(deps, viewed, asked);
  return openedCardText({ ...deps, ...own }, opened, reading, { blockId: viewed.block.id, snapshot });
}

export interface ReadMany extends NamedStory, Pick<ReadBlocks, 'blocks'> {
  view?: StoryView | undefined;
  requestId: string;
  onError(error: unknown): void;
}

/** The page of a story asks for its blocks in several requests, each of which may start as many engines. */
const AT_ONCE = 3;

/**
 * The story is read once for all blocks, and so is each dashboard; a block that fails does not affect the others.
 * Throws `STORY_NOT_FOUND`.
 */
export async function readBlocks(
  deps: ReadBlockDeps,
  { principal, id, view, blocks, requestId, onError }: ReadMany,
): Promise<JsonText> {
  const viewed = await viewedBlocks(deps.stories, {
    principal,
    id,
    view,
    blockIds: blocks.map((each) => each.blockId),
  });
  const once = { ...deps, dashboardFor: dashboardsOnce(deps.dashboardFor) };
  const resultOf = resultWriter({ maxBytes: MAX_RESULTS_BYTES, requestId, onError });
  const texts = new Map<number, string>();
  await inParallel(AT_ONCE, [...blocks.entries()], async ([index, { blockId, ...asked }]) => {
    const { text } = await resultOf({ blockId }, `/api/stories/${id}/blocks/${blockId}/data`, async () => {
      const found = viewed.get(blockId);
      if (!found) throw new AppError('STORY_BLOCK_NOT_FOUND');
      return blockText(once, found, { ...asked, filters: [], principal });
    });
    texts.set(index, text);
  });
  return JsonText.of({}, { blocks: `[${blocks.map((_, index) => texts.get(index)).join(',')}]` });
}
