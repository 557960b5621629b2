import { defineGroup, section } from '../../group.ts';
import { examples as cdcExamples } from './cdc/examples.ts';
import * as cdcRoutes from './cdc/routes.ts';
import { examples as pipelineExamples } from './examples.ts';
import { examples as qualityExamples } from './quality/examples.ts';
import * as qualityRoutes from './quality/routes.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';
import { examples as runExamples } from './runs/examples.ts';
import * as runRoutes from './runs/routes.ts';
import { examples as triggerExamples } from './triggers/examples.ts';
import * as triggerRoutes from './triggers/routes.ts';
import { examples as pipelineUsageExamples } from './usage/examples.ts';
import * as usageRoutes from './usage/routes.ts';

export const group = defineGroup({
  name: 'pipelines',
  paths: ['/api/pipelines'],
  sections: [
    section(
      'Pipelines',
      'Definitions of pipelines: steps that extract, transform, route and load rows, each waiting for those it depends on.',
      routes,
      pipelineExamples,
    ),
    section('Runs', 'Start pipelines, follow their runs step by step, cancel and retry them.', runRoutes, runExamples),
    section(
      'Triggers and backfills',
      'Start a pipeline by a URL, run it for past days, and see why it started or did not.',
      triggerRoutes,
      triggerExamples,
    ),
    section(
      'CDC streams',
      'Change data capture: follow the tables of a Postgres source. Pipelines read the rows and their changes.',
      cdcRoutes,
      cdcExamples,
    ),
    section('Quality gates', 'What the quality gates of pipelines have found.', qualityRoutes, qualityExamples),
    section('Pipeline usage', 'What runs have used, by month, pipeline and sink.', usageRoutes, pipelineUsageExamples),
  ],
  resources,
});
