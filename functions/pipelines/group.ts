import { defineGroup } from '../group.ts';
import * as cdcRoutes from './cdc-routes.ts';
import * as qualityRoutes from './quality-routes.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';
import * as triggerRoutes from './trigger-routes.ts';
import * as usageRoutes from './usage-routes.ts';

export const group = defineGroup({
  name: 'pipelines',
  title: 'Pipelines',
  paths: ['/api/pipelines'],
  routes: [routes, cdcRoutes, qualityRoutes, triggerRoutes, usageRoutes],
  resources,
});
