import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { card, dashboardPage, filter, newCard, newFilter } from '../example-parts.ts';
import type * as routes from './routes.ts';

const position = { x: 12, y: 0, w: 12, h: 8 };
const moved = { ...card, position, revision: 2 };
const list = <T>(item: T) => ({ items: [item], total: 1 });

export const examples: ExamplesOf<typeof routes> = {
  listDashboardPages: { reply: list(dashboardPage) },
  createDashboardPage: { request: { id: 'overview', name: 'Overview' }, reply: dashboardPage },
  updateDashboardPage: { request: { name: 'At a glance' } },
  deleteDashboardPage: {},
  reorderDashboardPages: { request: { pageIds: ['overview'] } },
  listDashboardCards: { reply: list(card) },
  createDashboardCard: { request: newCard, reply: card },
  updateDashboardCard: { request: { position }, reply: moved },
  deleteDashboardCard: {},
  updateDashboardCards: { request: { updates: [{ id: 'orders', revision: 1, position }] }, reply: list(moved) },
  reorderDashboardCards: { request: { cardIds: ['orders'] }, reply: list(card) },
  listDashboardFilters: { reply: list(filter) },
  createDashboardFilter: { request: newFilter, reply: filter },
  updateDashboardFilter: {
    request: { defaultValue: null },
    reply: { ...filter, defaultValue: null, revision: 2 },
  },
  deleteDashboardFilter: {},
};
