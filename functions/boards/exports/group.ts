import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { examples as previewExamples } from './previews/examples.ts';
import * as previewRoutes from './previews/routes.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'exports',
  paths: [
    '/api/dashboards/{id}/export',
    '/api/reports/{id}/export',
    '/api/stories/{id}/export',
    '/api/shares/{token}/preview-image',
  ],
  sections: [
    section('Exports', 'Dashboards, reports and stories as files.', routes, examples),
    section('Link previews', 'What other applications show of share links.', previewRoutes, previewExamples),
  ],
  resources,
});
