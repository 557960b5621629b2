import { CardData, ReadCard } from '../../../shared/domains/boards/cards/index.ts';
import { DashboardCard } from '../../../shared/domains/boards/dashboards/index.ts';
import { grantOn } from '../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import { CARD_ERRORS, MISSING_SOURCES } from '../common/card-errors.ts';
import {
  CardParams,
  CardsData,
  CreateCardFromQuery,
  DashboardParams,
  DrawCard,
  FilterParams,
  FilterValues,
  ReadCards,
  ReadFilterValues,
  SummarizedCard,
} from './schemas.ts';

const read = { permission: 'dashboards:read', object: 'dashboard' } as const;

export const readDashboardCard = defineRoute({
  operationId: 'readDashboardCard',
  method: 'POST',
  path: '/api/dashboards/{id}/cards/{cardId}/data',
  summary: 'Read the rows of a card',
  description:
    'Runs the query of the card for the caller: with the rows and columns that the caller may see, and with the filters that apply to the card. Cards with the same query share one answer, which is cached until the data changes.',
  ...read,
  params: CardParams,
  body: ReadCard,
  optionalBody: true,
  success: { status: 200, body: CardData },
  errors: ['DASHBOARD_NOT_FOUND', ...CARD_ERRORS],
});

export const readDashboardCards = defineRoute({
  operationId: 'readDashboardCards',
  method: 'POST',
  path: '/api/dashboards/{id}/data',
  summary: 'Read the rows of many cards',
  description:
    'Reads the cards of a page, or those that are named, at most 50. Cards without rows, such as texts, are left out. A card that fails has a problem instead of rows.',
  ...read,
  params: DashboardParams,
  body: ReadCards,
  optionalBody: true,
  success: { status: 200, body: CardsData },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_PAGE_NOT_FOUND', 'DASHBOARD_CARD_NOT_FOUND'],
});

export const drawDashboardCard = defineRoute({
  operationId: 'drawDashboardCard',
  method: 'POST',
  path: '/api/dashboards/{id}/cards/{cardId}/image',
  summary: 'Draw a card as SVG',
  description:
    'Draws the chart, the number or the table of the card from the rows that the caller may see. If the card cannot be read, the image shows the reason.',
  ...read,
  params: CardParams,
  body: DrawCard,
  optionalBody: true,
  success: { status: 200, contentTypes: ['image/svg+xml'] },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_CARD_NOT_FOUND', 'CARD_WITHOUT_ROWS'],
});

export const readFilterValues = defineRoute({
  operationId: 'readDashboardFilterValues',
  method: 'POST',
  path: '/api/dashboards/{id}/filters/{filterId}/values',
  summary: 'List the values of a filter',
  description:
    'Lists the values of the field of the filter in the rows that the caller may see. The values come from the first card that the filter applies to and that has the field.',
  ...read,
  params: FilterParams,
  body: ReadFilterValues,
  optionalBody: true,
  success: { status: 200, body: FilterValues },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_FILTER_NOT_FOUND', 'CARD_UNREADABLE'],
});

export const createCardFromQuery = defineRoute({
  operationId: 'createDashboardCardFromQuery',
  method: 'POST',
  path: '/api/dashboards/{id}/cards/from-query',
  summary: 'Create a card from a query',
  description:
    'Runs the query and adds a card with the chart that best fits the rows: a single number, a line for values over time, bars, stacked bars or a heat map for categories, a map for countries and states of the USA, a scatter chart for two numbers, and a table for everything else.',
  permission: 'dashboards:write',
  grant: grantOn('dashboard', 'editor'),
  audit: 'dashboard.updated',
  params: DashboardParams,
  body: CreateCardFromQuery,
  success: { status: 201, body: DashboardCard, versioned: true },
  errors: [
    'DASHBOARD_NOT_FOUND',
    'DASHBOARD_PAGE_NOT_FOUND',
    'DASHBOARD_TOO_LARGE',
    ...MISSING_SOURCES,
    'CARD_UNREADABLE',
  ],
  idempotent: true,
});

const summary = {
  permission: 'dashboards:write',
  grant: grantOn('dashboard', 'editor'),
  audit: 'dashboard.updated',
  params: CardParams,
} as const;

export const summarizeCard = defineRoute({
  operationId: 'summarizeDashboardCard',
  method: 'POST',
  path: '/api/dashboards/{id}/cards/{cardId}/summarize',
  summary: 'Summarize a card',
  description:
    'Sends at most 50 rows of the card to the AI provider, and stores its summary of two to four sentences with the card. Readers get the summary with the rows. A summary with numbers that are not in the rows is rejected. Rows that row-level security or a sensitivity label protects are not sent, and the summary is hidden while they are protected.',
  ...summary,
  success: { status: 200, body: SummarizedCard },
  errors: [
    'DASHBOARD_NOT_FOUND',
    'DASHBOARD_CARD_NOT_FOUND',
    'CARD_WITHOUT_ROWS',
    'CARD_UNREADABLE',
    'AI_ROWS_PROTECTED',
    'AI_NOT_CONFIGURED',
    'AI_ANSWER_REJECTED',
    'AI_UNAVAILABLE',
  ],
  idempotent: true,
});

export const clearCardSummary = defineRoute({
  operationId: 'clearDashboardCardSummary',
  method: 'DELETE',
  path: '/api/dashboards/{id}/cards/{cardId}/summarize',
  summary: 'Remove the summary of a card',
  ...summary,
  success: { status: 204 },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_CARD_NOT_FOUND'],
});
