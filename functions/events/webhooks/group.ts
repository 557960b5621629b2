import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'webhooks',
  paths: ['/api/webhooks'],
  sections: [
    section(
      'Webhooks',
      'Receivers of events, and the deliveries to them. The requests themselves are listed under Events.',
      routes,
      examples,
    ),
  ],
  resources,
});
