import { CHANGED_AT, CREATED_AT, IDS } from '../../platform/example-values.ts';

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

export const newCard = {
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

export const newFilter = {
  fieldId: 'region',
  filterType: 'multi_select',
  label: 'Region',
  defaultValue: '["eu"]',
  linkedCardIds: ['orders'],
};
export const filter = { id: IDS.filter, dashboardId: IDS.dashboard, ...newFilter, ordinal: 0, ...stamps };
