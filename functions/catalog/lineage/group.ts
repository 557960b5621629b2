import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'lineage',
  paths: ['/api/catalog/impact', '/api/catalog/lineage'],
  sections: [
    section('Lineage', 'What the objects of a workspace are made of, and what is made of them.', routes, examples),
  ],
  resources,
});
