import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { exampleCard } from '../common/example-card.ts';
import type * as routes from './routes.ts';

export const examples: ExamplesOf<typeof routes> = {
  streamDashboardCards: {
    request: { pageId: 'overview' },
    reply: { cardId: exampleCard.cardId, data: exampleCard, problem: null },
  },
};
