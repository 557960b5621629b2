import { defineGroup, section } from '../group.ts';
import { examples as issueExamples } from './issue-examples.ts';
import * as issueRoutes from './issue-routes.ts';
import { resources } from './resources.ts';
import { examples as runExamples } from './run-examples.ts';
import * as runRoutes from './run-routes.ts';
import { examples as scanExamples } from './scan-examples.ts';
import * as scanRoutes from './scan-routes.ts';
import { examples as scanScheduleExamples } from './scan-schedule-examples.ts';
import * as scanScheduleRoutes from './scan-schedule-routes.ts';
import { examples as scoreExamples } from './score-examples.ts';
import * as scoreRoutes from './score-routes.ts';
import { examples as suggestionExamples } from './suggestion-examples.ts';
import * as suggestionRoutes from './suggestion-routes.ts';
import { examples as testExamples } from './test-examples.ts';
import * as testRoutes from './test-routes.ts';

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
