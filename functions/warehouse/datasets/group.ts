import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'datasets',
  paths: ['/api/datasets'],
  sections: [
    section(
      'Datasets',
      'Tables of the warehouse. Each load or refresh adds a version; earlier versions can be restored.',
      routes,
      examples,
    ),
  ],
  resources,
});
