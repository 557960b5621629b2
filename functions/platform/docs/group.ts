import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'docs',
  paths: ['/api/', '/api/docs', '/api/openapi.json'],
  sections: [section('Documentation', 'The pages of the documentation, and the OpenAPI document.', routes, examples)],
  resources,
});
