import { defineGroup } from '../group.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'pipeline-events',
  title: 'Pipelines',
  paths: ['/api/pipelines/runs/{runId}/events'],
  routes: [routes],
  resources,
});
