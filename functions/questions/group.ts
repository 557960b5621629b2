import { defineGroup, section } from '../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'questions',
  paths: [
    '/api/models/{modelId}/query',
    '/api/models/{modelId}/compile',
    '/api/models/{modelId}/tables/{tableId}/preview',
  ],
  sections: [section('Questions', 'Questions to a model, answered from its source or shown as SQL.', routes, examples)],
  resources,
});
