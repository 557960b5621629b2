import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { examples as feedExamples } from './feed/examples.ts';
import * as feedRoutes from './feed/routes.ts';
import { examples as operationExamples } from './operations/examples.ts';
import * as operationRoutes from './operations/routes.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'alerts',
  paths: ['/api/dashboard-alerts'],
  sections: [
    section(
      'Alerts',
      'Conditions on numbers. They notify people, each of the rows that they may see.',
      { ...routes, ...operationRoutes },
      { ...examples, ...operationExamples },
    ),
    section('Notifications', 'What the caller was notified of, with unread state.', feedRoutes, feedExamples),
  ],
  resources,
});
