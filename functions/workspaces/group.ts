import { defineGroup } from '../group.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';
import * as secretRoutes from './secret-routes.ts';

export const group = defineGroup({
  name: 'workspaces',
  title: 'Workspaces and secrets',
  paths: ['/api/workspaces', '/api/secrets'],
  routes: [routes, secretRoutes],
  resources,
});
