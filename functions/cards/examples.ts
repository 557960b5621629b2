import type { ExamplesOf } from '../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../example-values.ts';
import type * as routes from './routes.ts';

const filters = [{ fieldId: IDS.modelField, op: 'in', values: ['North'] }] as const;
const data = {
  cardId: 'sales-by-region',
  columns: [
    { name: 'Region', role: 'dimension', type: 'string', format: null, fieldId: IDS.modelField },
    { name: 'Sales', role: 'measure', type: 'decimal', format: null },
  ],
  rows: [['North', '1250.50']],
  rowCount: 1,
  truncated: false,
  asOf: CHANGED_AT,
  cache: 'miss',
  timezone: 'UTC',
  ignoredFilters: [],
  warnings: [],
} as const;

export const examples: ExamplesOf<typeof routes> = {
  readDashboardCard: { request: { filters }, reply: data },
  readDashboardCards: {
    request: { pageId: 'overview' },
    reply: { cards: [{ cardId: 'sales-by-region', data, problem: null }] },
  },
  drawDashboardCard: { request: { width: 640, height: 400 } },
};
