import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';
import { examples as accountExamples } from './service-accounts/examples.ts';
import * as accountRoutes from './service-accounts/routes.ts';

export const group = defineGroup({
  name: 'api-keys',
  paths: ['/api/api-keys', '/api/service-accounts'],
  sections: [
    section('API keys', 'Long-lived credentials for programs, each with a scope.', routes, examples),
    section(
      'Service accounts',
      'Members of a workspace that are no people, for API keys that outlast the admin who created them.',
      accountRoutes,
      accountExamples,
    ),
  ],
  resources,
});
