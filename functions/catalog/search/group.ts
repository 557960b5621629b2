import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'search',
  paths: ['/api/search'],
  sections: [
    section('Search', 'Find objects of the workspace by name and description.', { ...routes }, { ...examples }),
  ],
  resources,
});
