import { defineGroup, section } from '../../group.ts';
import { resources } from './resources.ts';
import { examples } from './terms/examples.ts';
import * as routes from './terms/routes.ts';

export const group = defineGroup({
  name: 'catalog',
  paths: ['/api/catalog'],
  sections: [
    section(
      'Terms',
      'The business glossary: what terms mean, how they relate, and which objects they describe.',
      routes,
      examples,
    ),
  ],
  resources,
});
