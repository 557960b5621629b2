import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';
import { unsavedChartExamples } from './unsaved-charts/examples.ts';
import * as unsavedCharts from './unsaved-charts/routes.ts';

export const group = defineGroup({
  name: 'cards',
  paths: [
    '/api/charts',
    '/api/dashboards/{id}/data',
    '/api/dashboards/{id}/cards/from-query',
    '/api/dashboards/{id}/cards/{cardId}/data',
    '/api/dashboards/{id}/cards/{cardId}/image',
    '/api/dashboards/{id}/cards/{cardId}/summarize',
    '/api/dashboards/{id}/filters/{filterId}/values',
  ],
  sections: [
    section('Card data', 'The rows and pictures of the cards of a dashboard.', routes, examples),
    section('Charts', 'Charts that are not saved.', unsavedCharts, unsavedChartExamples),
  ],
  resources,
});
