import { defineGroup, section } from '../../group.ts';
import { examples as accessExamples } from './access/examples.ts';
import * as accessRoutes from './access/routes.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'saved-queries',
  paths: ['/api/saved-queries'],
  sections: [
    section(
      'Saved queries',
      'Named statements with typed parameters and a history of versions.',
      { ...routes, ...accessRoutes },
      { ...examples, ...accessExamples },
    ),
  ],
  resources,
});
