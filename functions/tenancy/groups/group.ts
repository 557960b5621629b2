import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'groups',
  paths: ['/api/groups'],
  sections: [
    section(
      'Groups',
      'Members of the workspace under one name, to give them access together. Admins manage groups; every member may read them.',
      routes,
      examples,
    ),
  ],
  resources,
});
