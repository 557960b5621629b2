import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'story-deliveries',
  paths: ['/api/stories/{id}/schedules', '/api/stories/schedules'],
  sections: [
    section(
      'Story deliveries',
      'Schedules that email stories; each recipient gets what they may see.',
      routes,
      examples,
    ),
  ],
  resources,
});
