import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'themes',
  paths: ['/api/themes'],
  sections: [section('Themes', 'Colors and fonts of dashboards, which admins define.', routes, examples)],
  resources,
});
