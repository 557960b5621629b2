import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const metric = { type: 'metric', id: IDS.metric, name: 'Monthly revenue', url: `/api/metrics/${IDS.metric}` } as const;

export const examples: ExamplesOf<typeof routes> = {
  search: {
    reply: {
      items: [
        {
          ...metric,
          parent: null,
          snippet: { text: 'Revenue of paid orders, net of refunds', marks: [[0, 7]] },
          matchedOn: ['name', 'description'],
          isCertified: true,
          isDeprecated: false,
          updatedAt: CHANGED_AT,
        },
      ],
      total: 1,
      nextCursor: null,
      facets: { type: { metric: 1 } },
      matching: 'all',
      mode: 'lexical',
      fallback: 'off',
      suggestion: null,
      omitted: [],
    },
  },
  suggestSearch: { reply: { items: [{ ...metric, parent: null }] } },
};
