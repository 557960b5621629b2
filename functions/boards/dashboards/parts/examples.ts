import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const stamps = {
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CHANGED_AT,
  revision: 1,
};

export const dashboardPage = {
  id: 'overview',
  dashboardId: IDS.dashboard,
  name: 'Overview',
  isHidden: false,
  pageIndex: 0,
  ...stamps,
};

const newCard = {
  id: 'orders',
  cardType: 'table',
  title: 'Orders',
  position: { x: 0, y: 0, w: 12, h: 8 },
  savedQueryId: IDS.savedQuery,
  pageId: 'overview',
};
export const card = {
  dashboardId: IDS.dashboard,
  description: '',
  chartSpec: null,
  textContent: null,
  imageUrl: null,
  value: null,
  ...newCard,
  ordinal: 0,
  ...stamps,
};

const newFilter = {
  fieldId: 'region',
  filterType: 'multi_select',
  label: 'Region',
  defaultValue: '["eu"]',
  linkedCardIds: ['orders'],
};
export const filter = { id: IDS.filter, dashboardId: IDS.dashboard, ...newFilter, ordinal: 0, ...stamps };

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
