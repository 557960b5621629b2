import { defineGroup, section } from '../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'pages',
  paths: ['/api/d', '/api/sign-in'],
  sections: [section('Pages', 'Dashboards as pages for a browser, and how people sign in to them.', routes, examples)],
  resources,
});
