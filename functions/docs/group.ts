import { defineGroup } from '../group.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'docs',
  title: 'Documentation',
  paths: ['/api/docs', '/api/openapi.json'],
  routes: [routes],
  resources,
});
