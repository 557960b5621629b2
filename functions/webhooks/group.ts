import { defineGroup } from '../group.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'webhooks',
  title: 'Webhooks',
  paths: ['/api/webhooks'],
  routes: [routes],
  resources,
});
