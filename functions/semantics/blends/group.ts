import { defineGroup, section } from '../../group.ts';
import { examples as accessExamples } from './access/examples.ts';
import * as accessRoutes from './access/routes.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'blends',
  paths: ['/api/composite-models'],
  sections: [
    section(
      'Blends',
      'Rows of two tables beside each other, whatever models and sources they are from.',
      { ...routes, ...accessRoutes },
      { ...examples, ...accessExamples },
    ),
  ],
  resources,
});
