import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'audit',
  paths: ['/api/audit-log'],
  sections: [
    section(
      'Audit log',
      'Who did what, when and from where. Entries are never changed or deleted by a request.',
      routes,
      examples,
    ),
  ],
  resources,
});
