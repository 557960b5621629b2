import { defineGroup } from '../group.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'query',
  title: 'Query',
  paths: ['/api/query'],
  routes: [routes],
  resources,
});
