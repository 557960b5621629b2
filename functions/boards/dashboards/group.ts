import { defineGroup, section } from '../../group.ts';
import { examples as accessExamples } from './access/examples.ts';
import * as accessRoutes from './access/routes.ts';
import { examples as bookmarkExamples } from './bookmarks/examples.ts';
import * as bookmarkRoutes from './bookmarks/routes.ts';
import { examples } from './examples.ts';
import { examples as fileExamples } from './files/examples.ts';
import * as fileRoutes from './files/routes.ts';
import { examples as partExamples } from './parts/examples.ts';
import * as partRoutes from './parts/routes.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';
import { examples as scheduleExamples } from './schedules/examples.ts';
import * as scheduleRoutes from './schedules/routes.ts';
import { examples as versionExamples } from './versions/examples.ts';
import * as versionRoutes from './versions/routes.ts';

export const group = defineGroup({
  name: 'dashboards',
  paths: ['/api/dashboards'],
  sections: [
    section(
      'Dashboards',
      'Pages of cards for readers. Editors work on a draft; viewers see what was published.',
      { ...routes, ...versionRoutes, ...accessRoutes, ...fileRoutes },
      { ...examples, ...versionExamples, ...accessExamples, ...fileExamples },
    ),
    section('Dashboard parts', 'Pages, cards and filters of a dashboard.', partRoutes, partExamples),
    section(
      'Dashboard bookmarks',
      'What readers have chosen on a dashboard, for themselves or for all.',
      bookmarkRoutes,
      bookmarkExamples,
    ),
    section(
      'Dashboard deliveries',
      'Schedules that email dashboards; each recipient gets what they may see.',
      scheduleRoutes,
      scheduleExamples,
    ),
  ],
  resources,
});
