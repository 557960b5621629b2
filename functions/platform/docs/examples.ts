import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import type * as routes from './routes.ts';

export const examples: ExamplesOf<typeof routes> = {
  getStart: {},
  getOpenApi: { reply: { openapi: '3.1.1', info: { title: 'Analytics platform', version: '1' }, paths: {} } },
  getReference: {},
  listGuides: {},
  getGuide: {},
  getDocsAsset: {},
};
