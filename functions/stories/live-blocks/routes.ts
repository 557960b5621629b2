import { ReadCard } from '../../../shared/domains/boards/cards/index.ts';
import { BlockData } from '../../../shared/domains/stories/live-blocks/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import { CARD_ERRORS } from '../../boards/common/card-errors.ts';
import { BlockParams, BlockQuery, BlocksData, BlocksParams, ReadBlocks } from './schemas.ts';

const read = { permission: 'stories:read', object: 'story', query: BlockQuery } as const;

export const readStoryBlock = defineRoute({
  operationId: 'readStoryBlock',
  method: 'POST',
  path: '/api/stories/{id}/blocks/{blockId}/data',
  summary: 'Read the rows of a live block',
  description:
    'Runs the query of the block for the caller: with the rows and columns that the caller may see, and with the filters that apply. A block with a card of a dashboard shows the card as the caller sees it there. Blocks and cards with the same query share one cached answer.',
  ...read,
  params: BlockParams,
  body: ReadCard,
  optionalBody: true,
  success: { status: 200, body: BlockData },
  errors: [
    'STORY_NOT_FOUND',
    'STORY_BLOCK_NOT_FOUND',
    'STORY_BLOCK_WITHOUT_ROWS',
    'STORY_BLOCK_NOT_KEPT',
    'SNAPSHOT_OTHER_RIGHTS',
    'DASHBOARD_NOT_FOUND',
    ...CARD_ERRORS,
  ],
});

export const readStoryBlocks = defineRoute({
  operationId: 'readStoryBlocks',
  method: 'POST',
  path: '/api/stories/{id}/blocks/data',
  summary: 'Read the rows of many live blocks',
  description:
    'Reads the live blocks that are named, at most 50, as `POST /api/stories/{id}/blocks/{blockId}/data` reads each of them. The story is read once for all. A block that fails has a problem instead of rows; if the rows of all are too large for one reply, read the rest alone.',
  ...read,
  params: BlocksParams,
  body: ReadBlocks,
  success: { status: 200, body: BlocksData },
  errors: ['STORY_NOT_FOUND'],
});
