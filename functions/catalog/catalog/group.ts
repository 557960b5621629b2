import { defineGroup, section } from '../../group.ts';
import { examples as certificationExamples } from './certifications/examples.ts';
import * as certificationRoutes from './certifications/routes.ts';
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
    section(
      'Certifications',
      'Who vouches for an object, and which objects should no longer be used.',
      certificationRoutes,
      certificationExamples,
    ),
  ],
  resources,
});
