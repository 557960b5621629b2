import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'shares',
  paths: ['/api/shares'],
  sections: [
    section(
      'Share links',
      'Links that open dashboards without a sign-in, and what their readers call.',
      routes,
      examples,
    ),
  ],
  resources,
});
