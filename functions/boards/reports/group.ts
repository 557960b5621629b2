import { defineGroup, section } from '../../group.ts';
import { examples as accessExamples } from './access/examples.ts';
import * as accessRoutes from './access/routes.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';
import { examples as scheduleExamples } from './schedules/examples.ts';
import * as scheduleRoutes from './schedules/routes.ts';

export const group = defineGroup({
  name: 'reports',
  paths: ['/api/reports'],
  sections: [
    section(
      'Reports',
      'Documents of blocks in order: headings, texts, charts and tables, with parameters that readers choose.',
      { ...routes, ...accessRoutes },
      { ...examples, ...accessExamples },
    ),
    section(
      'Report deliveries',
      'Schedules that email reports; each recipient gets what they may see.',
      scheduleRoutes,
      scheduleExamples,
    ),
  ],
  resources,
});
