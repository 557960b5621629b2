import { defineGroup } from '../group.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'entitlements',
  title: 'Entitlements and usage',
  paths: ['/api/entitlements', '/api/usage'],
  routes: [routes],
  resources,
});
