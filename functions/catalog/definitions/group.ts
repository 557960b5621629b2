import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'definitions',
  paths: ['/api/definitions'],
  sections: [
    section(
      'Definitions as files',
      'Objects as YAML files that a team keeps in Git, compares and deploys.',
      { ...routes },
      { ...examples },
    ),
  ],
  resources,
});
