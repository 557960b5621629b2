import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'pages',
  paths: ['/api/d', '/api/e', '/api/s', '/api/sign-in'],
  sections: [
    section(
      'Pages',
      'Dashboards and stories as web pages for members, who sign in there; dashboards also for readers of share links, and embedded in other sites.',
      routes,
      examples,
    ),
  ],
  resources,
});
