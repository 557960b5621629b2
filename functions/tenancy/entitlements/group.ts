import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'entitlements',
  paths: ['/api/entitlements', '/api/usage'],
  sections: [
    section(
      'Entitlements and usage',
      'What the company is licensed for, and how much of it has been used.',
      routes,
      examples,
    ),
  ],
  resources,
});
