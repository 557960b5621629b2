import type { Static } from 'typebox';
import * as Type from 'typebox';
import { BlockId } from '../../../shared/data/rich-text/index.ts';
import { CardImage, readingProperties } from '../../../shared/domains/boards/cards/index.ts';
import { BlockData } from '../../../shared/domains/stories/live-blocks/index.ts';
import { VIEWS } from '../../../shared/domains/stories/stories/index.ts';
import { Problem } from '../../../shared/platform/http/problem.ts';
import { idParams, Nullable, StrictObject, StringEnum } from '../../../shared/platform/http/schemas.ts';

export const BlockParams = Type.Object({
  ...idParams('story').properties,
  blockId: Type.Unsafe<string>({ ...BlockId, description: 'The id of the live block.' }),
});

export const BlocksParams = idParams('story');

export const BlockQuery = Type.Object({
  view: Type.Optional(
    StringEnum(VIEWS, {
      description:
        'The state of the story that the block is part of; defaults to the draft for callers who can see it. Other callers always get the published version.',
    }),
  ),
});

const MAX_BLOCKS = 50;

export const ReadBlocks = Type.Object(
  {
    blocks: Type.Array(
      StrictObject(
        {
          blockId: BlockParams.properties.blockId,
          timezone: readingProperties.timezone,
          timeoutMs: readingProperties.timeoutMs,
          maxAgeSeconds: readingProperties.maxAgeSeconds,
          image: Type.Optional(CardImage),
        },
        { $id: 'StoryBlockReading', description: 'A live block to read, and how.' },
      ),
      { minItems: 1, maxItems: MAX_BLOCKS },
    ),
  },
  { $id: 'ReadStoryBlocks', description: 'Which live blocks of a story to read.' },
);
export type ReadBlocks = Static<typeof ReadBlocks>;

export const BlocksData = Type.Object(
  {
    blocks: Type.Array(
      Type.Object(
        { blockId: BlockId, data: Nullable(BlockData), problem: Nullable(Problem) },
        { $id: 'StoryBlockResult', description: 'The rows of a live block, or why it has none.' },
      ),
    ),
  },
  {
    $id: 'StoryBlocksData',
    description: 'The live blocks, in the order of the request. A block that fails does not affect the others.',
  },
);
