import { defineGroup } from '../group.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'data-sources',
  title: 'Data sources',
  paths: ['/api/data-sources'],
  routes: [routes],
  resources,
});
