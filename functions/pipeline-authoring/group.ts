import { defineGroup } from '../group.ts';
import * as flowletRoutes from './flowlet-routes.ts';
import * as lineageRoutes from './lineage-routes.ts';
import * as previewRoutes from './preview-routes.ts';
import { resources } from './resources.ts';
import * as suggestRoutes from './suggest-routes.ts';

export const group = defineGroup({
  name: 'pipeline-authoring',
  title: 'Pipeline authoring',
  paths: [
    '/api/pipelines/flowlets',
    '/api/pipelines/{id}/lineage',
    '/api/pipelines/{id}/suggest-ops',
    '/api/pipelines/{id}/transform-preview',
  ],
  routes: [flowletRoutes, lineageRoutes, previewRoutes, suggestRoutes],
  resources,
});
