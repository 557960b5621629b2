import { defineGroup } from '../group.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'api-keys',
  title: 'API keys',
  paths: ['/api/api-keys'],
  routes: [routes],
  resources,
});
