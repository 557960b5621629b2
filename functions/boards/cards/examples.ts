import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS } from '../../platform/example-values.ts';
import { exampleCard as data } from '../common/example-card.ts';
import type * as routes from './routes.ts';

const filters = [{ fieldId: IDS.modelField, op: 'in', values: ['North'] }] as const;
const suggested = {
  id: 'orders-by-day',
  dashboardId: IDS.dashboard,
  cardType: 'chart',
  title: 'Orders by day',
  description: '',
  position: { x: 0, y: 8, w: 12, h: 8 },
  chartSpec: {
    version: 1,
    query: { source: { kind: 'savedQuery', id: IDS.savedQuery } },
    mark: { type: 'line' },
    encoding: { x: { field: 'day' }, y: { field: 'orders' } },
  },
  savedQueryId: IDS.savedQuery,
  textContent: null,
  imageUrl: null,
  value: null,
  pageId: 'overview',
  ordinal: 1,
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
} as const;

export const examples: ExamplesOf<typeof routes> = {
  readDashboardCard: { request: { filters }, reply: data },
  readDashboardCards: {
    request: { pageId: 'overview' },
    reply: { cards: [{ cardId: 'sales-by-region', data, problem: null }] },
  },
  readFilterValues: {
    request: { search: 'No', limit: 20 },
    reply: { values: ['North', 'Northeast'], truncated: false, asOf: CHANGED_AT },
  },
  summarizeCard: {
    reply: {
      cardId: 'sales-by-region',
      aiSummary: {
        text: 'North leads with sales of 1,250.50.',
        generatedAt: CHANGED_AT,
        model: 'example-model',
        isStale: false,
      },
    },
  },
  clearCardSummary: {},
  createCardFromQuery: { request: { savedQueryId: IDS.savedQuery, title: 'Orders by day' }, reply: suggested },
  drawDashboardCard: { request: { width: 640, height: 400 } },
};
