import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'live-blocks',
  paths: ['/api/stories/{id}/blocks/data', '/api/stories/{id}/blocks/{blockId}/data'],
  sections: [section('Live blocks', 'The rows of the live blocks of a story.', routes, examples)],
  resources,
});
