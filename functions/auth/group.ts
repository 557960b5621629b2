import { defineGroup } from '../group.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'auth',
  title: 'Auth',
  paths: ['/api/auth'],
  routes: [routes],
  resources,
});
