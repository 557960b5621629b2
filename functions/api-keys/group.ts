import { defineGroup, section } from '../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'api-keys',
  paths: ['/api/api-keys'],
  sections: [section('API keys', 'Long-lived credentials for programs, each with a scope.', routes, examples)],
  resources,
});
