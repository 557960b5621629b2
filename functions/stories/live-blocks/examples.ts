import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { exampleCard } from '../../boards/common/example-card.ts';
import { IDS } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const { cardId: _cardId, ...rows } = exampleCard;

export const examples: ExamplesOf<typeof routes> = {
  readStoryBlock: {
    request: { filters: [{ fieldId: IDS.modelField, op: 'in', values: ['North'] }] },
    reply: { blockId: 'regions', ...rows, snapshot: null },
  },
  readStoryBlocks: {
    request: { blocks: [{ blockId: 'regions', timezone: 'Europe/Berlin' }] },
    reply: {
      blocks: [{ blockId: 'regions', data: { blockId: 'regions', ...rows, snapshot: null }, problem: null }],
    },
  },
};
