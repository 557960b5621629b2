import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'query',
  paths: ['/api/query'],
  sections: [
    section(
      'Queries',
      'Read-only SQL over datasets or over one data source, answered directly or by a job.',
      routes,
      examples,
    ),
  ],
  resources,
});
