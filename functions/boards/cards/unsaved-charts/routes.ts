import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { MISSING_SOURCES } from '../../common/card-errors.ts';
import { ChartPreview, PreviewChart, SuggestCharts, SuggestedCharts } from './schemas.ts';

const PRODUCT_ERRORS = ['PRODUCT_NOT_LICENSED', 'PRODUCT_TURNED_OFF'] as const;

export const previewChart = defineRoute({
  operationId: 'previewChart',
  method: 'POST',
  path: '/api/charts/preview',
  summary: 'Preview a chart',
  description:
    'Returns the rows of a chart that is not saved, and with `image` its picture, as a card with the chart would show them to the caller. Nothing is stored.',
  permission: 'charts:preview',
  body: PreviewChart,
  success: { status: 200, body: ChartPreview },
  errors: ['CHART_SPEC_INVALID', ...MISSING_SOURCES, 'CARD_UNREADABLE', ...PRODUCT_ERRORS],
});

export const suggestCharts = defineRoute({
  operationId: 'suggestCharts',
  method: 'POST',
  path: '/api/charts/suggest',
  summary: 'Suggest charts for rows',
  description:
    'Runs the query of a chart, or a statement, and returns one to three charts that suit the columns and values, best first. A statement needs the permission to run queries.',
  permission: 'charts:preview',
  body: SuggestCharts,
  success: { status: 200, body: SuggestedCharts },
  errors: [...MISSING_SOURCES, 'DATA_SOURCE_NOT_FOUND', 'CARD_UNREADABLE', ...PRODUCT_ERRORS],
});
