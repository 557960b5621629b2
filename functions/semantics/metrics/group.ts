import { defineGroup, section } from '../../group.ts';
import { examples as accessExamples } from './access/examples.ts';
import * as accessRoutes from './access/routes.ts';
import { examples as anomalyExamples } from './anomalies/examples.ts';
import * as anomalyRoutes from './anomalies/routes.ts';
import { examples as digestExamples } from './digests/examples.ts';
import * as digestRoutes from './digests/routes.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';
import { examples as valueExamples } from './values/examples.ts';
import * as valueRoutes from './values/routes.ts';

export const group = defineGroup({
  name: 'metrics',
  paths: ['/api/metrics'],
  sections: [
    section(
      'Metrics',
      'Numbers that a workspace watches over time, defined once. Viewers read them, editors define them, admins certify them.',
      { ...routes, ...accessRoutes },
      { ...examples, ...accessExamples },
    ),
    section(
      'Metric values',
      'The numbers of a metric: for one period, over time, and what moved them.',
      { ...valueRoutes, ...anomalyRoutes },
      { ...valueExamples, ...anomalyExamples },
    ),
    section(
      'Digests of metrics',
      'Metrics by email on a schedule, each recipient with the numbers that they may see.',
      digestRoutes,
      digestExamples,
    ),
  ],
  resources,
});
