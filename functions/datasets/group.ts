import { defineGroup } from '../group.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'datasets',
  title: 'Datasets',
  paths: ['/api/datasets'],
  routes: [routes],
  resources,
});
