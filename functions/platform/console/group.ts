import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'console',
  paths: ['/api/console'],
  sections: [
    section('Console', 'The web pages where people work with everything that this API offers.', routes, examples),
  ],
  resources,
});
