import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'pipeline-events',
  paths: ['/api/pipelines/runs/{runId}/events'],
  sections: [section('Run events', 'Follow a run while it happens.', routes, examples)],
  resources,
});
