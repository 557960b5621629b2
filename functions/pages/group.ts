import { defineGroup, section } from '../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'pages',
  paths: ['/api/d', '/api/sign-in'],
  sections: [section('Pages', 'Dashboards as web pages, and the sign-in for them.', routes, examples)],
  resources,
});
