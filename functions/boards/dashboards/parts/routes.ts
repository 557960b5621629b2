import { DashboardCard, DashboardFilter, DashboardPage } from '../../../../shared/domains/boards/dashboards/index.ts';
import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { DashboardParams } from '../schemas.ts';
import {
  CardList,
  CardListQuery,
  CardParams,
  CreateCard,
  CreateFilter,
  CreatePage,
  FilterList,
  FilterParams,
  PageList,
  PageParams,
  ReorderCards,
  ReorderPages,
  UpdateCard,
  UpdateCards,
  UpdateFilter,
  UpdatePage,
} from './schemas.ts';

const write = {
  permission: 'dashboards:write',
  grant: grantOn('dashboard', 'editor'),
  audit: 'dashboard.updated',
} as const;

export const listDashboardPages = defineRoute({
  operationId: 'listDashboardPages',
  method: 'GET',
  path: '/api/dashboards/{id}/pages',
  summary: 'List the pages of a dashboard',
  permission: 'dashboards:read',
  object: 'dashboard',
  params: DashboardParams,
  success: { status: 200, body: PageList },
  errors: ['DASHBOARD_NOT_FOUND'],
});

export const createDashboardPage = defineRoute({
  operationId: 'createDashboardPage',
  method: 'POST',
  path: '/api/dashboards/{id}/pages',
  summary: 'Create a page of a dashboard',
  ...write,
  params: DashboardParams,
  body: CreatePage,
  success: { status: 201, body: DashboardPage, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_PAGE_ID_TAKEN', 'DASHBOARD_TOO_LARGE'],
  idempotent: true,
});

export const updateDashboardPage = defineRoute({
  operationId: 'updateDashboardPage',
  method: 'PUT',
  path: '/api/dashboards/{id}/pages/{pageId}',
  summary: 'Update a page of a dashboard',
  ...write,
  params: PageParams,
  body: UpdatePage,
  success: { status: 204, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_PAGE_NOT_FOUND'],
});

export const deleteDashboardPage = defineRoute({
  operationId: 'deleteDashboardPage',
  method: 'DELETE',
  path: '/api/dashboards/{id}/pages/{pageId}',
  summary: 'Delete a page of a dashboard',
  description: 'Also deletes its cards, and the filters that were linked only to these cards.',
  ...write,
  params: PageParams,
  success: { status: 204, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_PAGE_NOT_FOUND'],
});

export const reorderDashboardPages = defineRoute({
  operationId: 'reorderDashboardPages',
  method: 'POST',
  path: '/api/dashboards/{id}/pages/reorder',
  summary: 'Reorder the pages of a dashboard',
  ...write,
  params: DashboardParams,
  body: ReorderPages,
  success: { status: 204 },
  errors: ['DASHBOARD_NOT_FOUND'],
});

export const listDashboardCards = defineRoute({
  operationId: 'listDashboardCards',
  method: 'GET',
  path: '/api/dashboards/{id}/cards',
  summary: 'List the cards of a dashboard',
  permission: 'dashboards:read',
  object: 'dashboard',
  params: DashboardParams,
  query: CardListQuery,
  success: { status: 200, body: CardList },
  errors: ['DASHBOARD_NOT_FOUND'],
});

export const createDashboardCard = defineRoute({
  operationId: 'createDashboardCard',
  method: 'POST',
  path: '/api/dashboards/{id}/cards',
  summary: 'Create a card of a dashboard',
  ...write,
  params: DashboardParams,
  body: CreateCard,
  success: { status: 201, body: DashboardCard, versioned: true },
  errors: [
    'DASHBOARD_NOT_FOUND',
    'DASHBOARD_PAGE_NOT_FOUND',
    'SAVED_QUERY_NOT_FOUND',
    'DASHBOARD_CARD_ID_TAKEN',
    'DASHBOARD_TOO_LARGE',
  ],
  idempotent: true,
});

export const updateDashboardCard = defineRoute({
  operationId: 'updateDashboardCard',
  method: 'PUT',
  path: '/api/dashboards/{id}/cards/{cardId}',
  summary: 'Update a card of a dashboard',
  description: 'Editors of different cards do not disturb each other: each card has a revision of its own.',
  ...write,
  params: CardParams,
  body: UpdateCard,
  success: { status: 200, body: DashboardCard, versioned: true },
  errors: [
    'DASHBOARD_NOT_FOUND',
    'DASHBOARD_CARD_NOT_FOUND',
    'DASHBOARD_PAGE_NOT_FOUND',
    'SAVED_QUERY_NOT_FOUND',
    'DASHBOARD_TOO_LARGE',
  ],
});

export const deleteDashboardCard = defineRoute({
  operationId: 'deleteDashboardCard',
  method: 'DELETE',
  path: '/api/dashboards/{id}/cards/{cardId}',
  summary: 'Delete a card of a dashboard',
  description: 'Filters lose their links to it; a filter that was linked only to it is deleted too.',
  ...write,
  params: CardParams,
  success: { status: 204, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_CARD_NOT_FOUND'],
});

export const updateDashboardCards = defineRoute({
  operationId: 'updateDashboardCards',
  method: 'PUT',
  path: '/api/dashboards/{id}/cards/batch',
  summary: 'Update several cards of a dashboard',
  description: 'All changes are made, or none. An update with a `revision` fails if the card has changed since.',
  ...write,
  params: DashboardParams,
  body: UpdateCards,
  success: { status: 200, body: CardList },
  errors: [
    'DASHBOARD_NOT_FOUND',
    'DASHBOARD_CARD_NOT_FOUND',
    'DASHBOARD_PAGE_NOT_FOUND',
    'SAVED_QUERY_NOT_FOUND',
    'DASHBOARD_TOO_LARGE',
    'PRECONDITION_FAILED',
  ],
});

export const reorderDashboardCards = defineRoute({
  operationId: 'reorderDashboardCards',
  method: 'PUT',
  path: '/api/dashboards/{id}/cards/reorder',
  summary: 'Reorder the cards of a dashboard',
  description: 'Takes all cards of the dashboard, or all cards of one page, which then share their places.',
  ...write,
  params: DashboardParams,
  body: ReorderCards,
  success: { status: 200, body: CardList },
  errors: ['DASHBOARD_NOT_FOUND'],
});

export const listDashboardFilters = defineRoute({
  operationId: 'listDashboardFilters',
  method: 'GET',
  path: '/api/dashboards/{id}/filters',
  summary: 'List the filters of a dashboard',
  permission: 'dashboards:read',
  object: 'dashboard',
  params: DashboardParams,
  success: { status: 200, body: FilterList },
  errors: ['DASHBOARD_NOT_FOUND'],
});

export const createDashboardFilter = defineRoute({
  operationId: 'createDashboardFilter',
  method: 'POST',
  path: '/api/dashboards/{id}/filters',
  summary: 'Create a filter of a dashboard',
  ...write,
  params: DashboardParams,
  body: CreateFilter,
  success: { status: 201, body: DashboardFilter, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_TOO_LARGE'],
  idempotent: true,
});

export const updateDashboardFilter = defineRoute({
  operationId: 'updateDashboardFilter',
  method: 'PUT',
  path: '/api/dashboards/{id}/filters/{filterId}',
  summary: 'Update a filter of a dashboard',
  ...write,
  params: FilterParams,
  body: UpdateFilter,
  success: { status: 200, body: DashboardFilter, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_FILTER_NOT_FOUND'],
});

export const deleteDashboardFilter = defineRoute({
  operationId: 'deleteDashboardFilter',
  method: 'DELETE',
  path: '/api/dashboards/{id}/filters/{filterId}',
  summary: 'Delete a filter of a dashboard',
  ...write,
  params: FilterParams,
  success: { status: 204, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_FILTER_NOT_FOUND'],
});
