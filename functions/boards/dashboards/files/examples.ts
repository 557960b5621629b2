import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import type * as routes from './routes.ts';

const none = { total: 0, added: [], changed: [], removed: [] };

const yaml = `version: 1
name: Sales
pages:
  - id: overview
    name: Overview
cards:
  - id: notes
    pageId: overview
    cardType: text
    position:
      x: 0
      y: 0
      w: 12
      h: 4
    textContent: Revenue by region and month
`;

export const examples: ExamplesOf<typeof routes> = {
  exportDashboardFile: {},
  importDashboardFile: {
    request: { yaml },
    reply: {
      revision: 8,
      dryRun: false,
      dashboard: [],
      pages: none,
      cards: { total: 1, added: [], changed: [{ id: 'notes', members: ['textContent'] }], removed: [] },
      filters: none,
    },
  },
};
