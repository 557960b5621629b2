import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'comments',
  paths: ['/api/comments'],
  sections: [
    section(
      'Comments',
      'Threads of comments on dashboards, reports, models, metrics, saved queries, datasets and their parts.',
      routes,
      examples,
    ),
  ],
  resources,
});
