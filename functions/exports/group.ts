import { defineGroup, section } from '../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'exports',
  paths: ['/api/dashboards/{id}/export', '/api/reports/{id}/export'],
  sections: [section('Exports', 'Dashboards and reports as files.', routes, examples)],
  resources,
});
