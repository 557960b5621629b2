import type { Static } from 'typebox';
import * as Type from 'typebox';
import { BlockId } from '../../../data/rich-text/index.ts';
import { CardData } from '../../boards/cards/index.ts';

const { cardId: _cardId, ...rows } = CardData.properties;

export const BlockData = Type.Object(
  { blockId: BlockId, ...rows },
  {
    $id: 'StoryBlockData',
    description: 'The rows of a live block that the caller may see, in the form of the rows of a card.',
  },
);
export type BlockData = Static<typeof BlockData>;
