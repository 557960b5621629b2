import { defineGroup, section } from '../../group.ts';
import { examples as authoringExamples } from './examples.ts';
import { examples as flowletExamples } from './flowlets/examples.ts';
import * as flowletRoutes from './flowlets/routes.ts';
import * as lineageRoutes from './lineage/routes.ts';
import * as previewRoutes from './previews/routes.ts';
import { resources } from './resources.ts';
import * as suggestRoutes from './suggestions/routes.ts';

export const group = defineGroup({
  name: 'pipeline-authoring',
  paths: [
    '/api/pipelines/flowlets',
    '/api/pipelines/{id}/lineage',
    '/api/pipelines/{id}/suggest-ops',
    '/api/pipelines/{id}/transform-preview',
  ],
  sections: [
    section(
      'Flowlets',
      'Named chains of recipe operations with parameters, to use in the recipes of several pipelines.',
      flowletRoutes,
      flowletExamples,
    ),
    section(
      'Pipeline authoring',
      'Help while a pipeline is written: previews of steps, suggested operations, column lineage.',
      { ...lineageRoutes, ...previewRoutes, ...suggestRoutes },
      authoringExamples,
    ),
  ],
  resources,
});
