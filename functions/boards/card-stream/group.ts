import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'card-stream',
  paths: ['/api/dashboards/{id}/data/stream'],
  sections: [section('Card stream', 'The rows of cards, each as soon as it is ready.', routes, examples)],
  resources,
});
