import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'company',
  paths: ['/api/company'],
  sections: [
    section(
      'Company',
      'The company as a whole: its workspaces, its people, and who administers it. Most of it is for company admins.',
      routes,
      examples,
    ),
  ],
  resources,
});
