import type { Static } from 'typebox';
import * as Type from 'typebox';
import { BlockId } from '../../../data/rich-text/index.ts';
import { Nullable, Timestamp } from '../../../platform/http/schemas.ts';
import { CardData } from '../../boards/cards/index.ts';

const { cardId: _cardId, ...rows } = CardData.properties;

export const BlockData = Type.Object(
  {
    blockId: BlockId,
    ...rows,
    snapshot: Nullable(
      Type.Object(
        {
          takenAt: Type.Unsafe<string>({ ...Timestamp, description: 'When the story was published.' }),
          isStored: Type.Boolean({
            description:
              'Whether the rows were stored at that time. Otherwise they are computed for the caller, from the data of that time.',
          }),
        },
        { description: 'For published stories with the mode `snapshot`; null for current rows.' },
      ),
    ),
  },
  {
    $id: 'StoryBlockData',
    description: 'The rows of a live block that the caller may see, in the form of the rows of a card.',
  },
);
export type BlockData = Static<typeof BlockData>;
