import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const csv = `name,definition,synonyms,broader
Revenue,What customers pay for our services.,Turnover|Sales,
Annual recurring revenue,The yearly value of all subscriptions that run today.,Recurring revenue,Revenue
`;

export const examples: ExamplesOf<typeof routes> = {
  exportTerms: {
    reply: {
      downloadUrl: 'https://data.example.com/results/terms.csv?X-Amz-Expires=900',
      expiresAt: '2026-06-01T09:15:00.000Z',
      bytes: 6_291_456,
      contentType: 'text/csv',
    },
  },
  importTerms: {
    request: { csv },
    reply: {
      ...{ dryRun: false, finished: true },
      ...{ total: 2, created: 1, updated: 1, proposed: 0, unchanged: 0 },
      changes: [
        {
          line: 2,
          id: IDS.broaderTerm,
          name: 'Revenue',
          action: 'created',
          members: ['name', 'definition', 'synonyms'],
        },
        { line: 3, id: IDS.term, name: 'Annual recurring revenue', action: 'updated', members: ['broader'] },
      ],
    },
  },
};
