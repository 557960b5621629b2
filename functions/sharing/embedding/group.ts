import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'embedding',
  paths: ['/api/embed/tokens', '/api/embed/domains'],
  sections: [section('Embedding', 'Dashboards in the pages of other sites.', routes, examples)],
  resources,
});
