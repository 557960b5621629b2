import { defineGroup, section } from '../group.ts';
import { examples as accessExamples } from './access-examples.ts';
import * as accessRoutes from './access-routes.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';
import { examples as tableExamples } from './table-examples.ts';
import * as tableRoutes from './table-routes.ts';

export const group = defineGroup({
  name: 'models',
  paths: ['/api/models'],
  sections: [
    section(
      'Semantic models',
      'What the tables of a source mean, said once for every question: fields, relationships, measures and row-level security.',
      { ...routes, ...tableRoutes, ...accessRoutes },
      { ...examples, ...tableExamples, ...accessExamples },
    ),
  ],
  resources,
});
