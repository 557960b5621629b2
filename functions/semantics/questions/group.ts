import { defineGroup, section } from '../../group.ts';
import { accessExamples } from './access-previews/examples.ts';
import * as accessRoutes from './access-previews/routes.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'questions',
  paths: [
    '/api/models/{modelId}/query',
    '/api/models/{modelId}/compile',
    '/api/models/{modelId}/drill',
    '/api/models/{modelId}/values',
    '/api/datasets/{id}/values',
    '/api/models/{modelId}/detect-relationships',
    '/api/models/{modelId}/tables/{tableId}/preview',
    '/api/models/{modelId}/access-preview',
  ],
  sections: [
    section(
      'Questions',
      'Queries on a model, answered from its source or shown as SQL.',
      { ...routes, ...accessRoutes },
      { ...examples, ...accessExamples },
    ),
  ],
  resources,
});
