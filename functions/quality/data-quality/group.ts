import { defineGroup, section } from '../../group.ts';
import { examples as issueExamples } from './issues/examples.ts';
import * as issueRoutes from './issues/routes.ts';
import { resources } from './resources.ts';
import { examples as runExamples } from './runs/examples.ts';
import * as runRoutes from './runs/routes.ts';
import { examples as scanScheduleExamples } from './scan-schedules/examples.ts';
import * as scanScheduleRoutes from './scan-schedules/routes.ts';
import { examples as scanExamples } from './scans/examples.ts';
import * as scanRoutes from './scans/routes.ts';
import { examples as scoreExamples } from './scores/examples.ts';
import * as scoreRoutes from './scores/routes.ts';
import { examples as suggestionExamples } from './suggestions/examples.ts';
import * as suggestionRoutes from './suggestions/routes.ts';
import { examples as testExamples } from './tests/examples.ts';
import * as testRoutes from './tests/routes.ts';

export const group = defineGroup({
  name: 'data-quality',
  paths: ['/api/data-quality'],
  sections: [
    section(
      'Data-quality tests',
      'Rules for the rows of datasets, tables of data sources and fields of models, and what they have found.',
      { ...testRoutes, ...runRoutes },
      { ...testExamples, ...runExamples },
    ),
    section(
      'Data-quality issues',
      'What is wrong with tables, from the first finding until it is fixed.',
      issueRoutes,
      issueExamples,
    ),
    section(
      'Data-quality scores',
      'How far tables can be trusted, and how fresh they are.',
      scoreRoutes,
      scoreExamples,
    ),
    section(
      'Data-quality scans',
      'Profiles of the columns of a table: values, ranges, patterns, meaning, and what has changed.',
      { ...scanRoutes, ...scanScheduleRoutes },
      { ...scanExamples, ...scanScheduleExamples },
    ),
    section(
      'Data-quality suggestions',
      'Tests that the values of scanned tables suggest, until someone applies or dismisses them.',
      suggestionRoutes,
      suggestionExamples,
    ),
  ],
  resources,
});
