import { defineGroup } from '../group.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'saved-queries',
  title: 'Saved queries',
  paths: ['/api/saved-queries'],
  routes: [routes],
  resources,
});
