import { defineGroup, section } from '../group.ts';
import { resources } from './resources.ts';
import { examples as testExamples } from './test-examples.ts';
import * as testRoutes from './test-routes.ts';

export const group = defineGroup({
  name: 'data-quality',
  paths: ['/api/data-quality'],
  sections: [
    section(
      'Data-quality tests',
      'Rules for the rows of datasets, tables of data sources and fields of models, and what they have found.',
      testRoutes,
      testExamples,
    ),
  ],
  resources,
});
