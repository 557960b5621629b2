import { defineGroup, section } from '../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'docs',
  paths: ['/api/docs', '/api/openapi.json'],
  sections: [section('Documentation', 'This document and the page that shows it.', routes, examples)],
  resources,
});
