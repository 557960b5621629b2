import { defineGroup, section } from '../../group.ts';
import { examples as assetExamples } from './assets/examples.ts';
import * as assetRoutes from './assets/routes.ts';
import { examples as certificationExamples } from './certifications/examples.ts';
import * as certificationRoutes from './certifications/routes.ts';
import { examples as domainExamples } from './domains/examples.ts';
import * as domainRoutes from './domains/routes.ts';
import { examples as fileExamples } from './files/examples.ts';
import * as files from './files/routes.ts';
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
    section('Terms as CSV', 'The glossary as a file, for spreadsheets and other catalogs.', files, fileExamples),
    section(
      'Assets',
      'All objects of a workspace with their owners, tags and domains, and how much people use them.',
      assetRoutes,
      assetExamples,
    ),
    section(
      'Domains of the business',
      'The parts of the business that objects belong to.',
      domainRoutes,
      domainExamples,
    ),
  ],
  resources,
});
