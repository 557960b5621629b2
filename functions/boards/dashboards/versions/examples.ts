import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS, page } from '../../../platform/example-values.ts';
import { card, dashboardPage, filter } from '../example-parts.ts';
import { details } from '../examples.ts';
import type * as routes from './routes.ts';

const version = {
  version: 1,
  name: 'Sales',
  publishedBy: IDS.user,
  publishedAt: CHANGED_AT,
  changeNote: 'Orders by region',
  gate: { passed: true, overridden: false, reasons: [] },
  overrideReason: null,
  counts: { pages: 1, cards: 1, filters: 1 },
};

export const examples: ExamplesOf<typeof routes> = {
  publishDashboard: { request: { changeNote: 'Orders by region' }, reply: { ...version, warnings: [] } },
  listDashboardVersions: { reply: page([version]) },
  getDashboardVersion: {
    reply: {
      ...version,
      description: 'Revenue by region and month',
      layout: '{"columns":24}',
      timezone: 'Europe/Berlin',
      theme: null,
      filterState: null,
      pages: [dashboardPage],
      cards: [card],
      filters: [filter],
    },
  },
  restoreDashboardVersion: { reply: { ...details, hasUnpublishedChanges: true, revision: 3 } },
};
