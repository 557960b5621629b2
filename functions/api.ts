import type { Example, ExamplesOf } from '../shared/platform/http/example.ts';
import type { Route } from '../shared/platform/http/route.ts';
import { examples as apiKeyExamples } from './api-keys/examples.ts';
import * as apiKeys from './api-keys/routes.ts';
import { examples as authExamples } from './auth/examples.ts';
import * as auth from './auth/routes.ts';
import { examples as dataSourceExamples } from './data-sources/examples.ts';
import * as dataSources from './data-sources/routes.ts';
import { examples as datasetExamples } from './datasets/examples.ts';
import * as datasets from './datasets/routes.ts';
import { examples as docsExamples } from './docs/examples.ts';
import * as docs from './docs/routes.ts';
import { examples as entitlementExamples } from './entitlements/examples.ts';
import * as entitlements from './entitlements/routes.ts';
import { examples as authoringExamples } from './pipeline-authoring/examples.ts';
import { examples as flowletExamples } from './pipeline-authoring/flowlet-examples.ts';
import * as flowlets from './pipeline-authoring/flowlet-routes.ts';
import * as lineage from './pipeline-authoring/lineage-routes.ts';
import * as previews from './pipeline-authoring/preview-routes.ts';
import * as suggestions from './pipeline-authoring/suggest-routes.ts';
import { examples as cdcExamples } from './pipelines/cdc-examples.ts';
import * as cdcStreams from './pipelines/cdc-routes.ts';
import { examples as pipelineExamples } from './pipelines/examples.ts';
import { examples as qualityExamples } from './pipelines/quality-examples.ts';
import * as qualityGates from './pipelines/quality-routes.ts';
import * as pipelines from './pipelines/routes.ts';
import { examples as runExamples } from './pipelines/run-examples.ts';
import * as runs from './pipelines/run-routes.ts';
import { examples as triggerExamples } from './pipelines/trigger-examples.ts';
import * as triggers from './pipelines/trigger-routes.ts';
import { examples as pipelineUsageExamples } from './pipelines/usage-examples.ts';
import * as pipelineUsage from './pipelines/usage-routes.ts';
import { examples as queryExamples } from './query/examples.ts';
import * as query from './query/routes.ts';
import { examples as savedQueryExamples } from './saved-queries/examples.ts';
import * as savedQueries from './saved-queries/routes.ts';
import { examples as webhookExamples } from './webhooks/examples.ts';
import * as webhooks from './webhooks/routes.ts';
import { examples as workspaceExamples } from './workspaces/examples.ts';
import * as workspaces from './workspaces/routes.ts';
import { examples as secretExamples } from './workspaces/secret-examples.ts';
import * as secrets from './workspaces/secret-routes.ts';

/** Operations that the API reference shows together, under one tag. */
export interface Section {
  title: string;
  description: string;
  routes: readonly Route[];
  examples: ReadonlyMap<Route, Example>;
}

export interface Group {
  /** Folder under `functions/` and name of the Lambda function. */
  name: string;
  /** First path segments under `/api` that belong to the group; none when it serves a part of another's. */
  prefixes: readonly string[];
  sections: readonly Section[];
  routes: readonly Route[];
}

const group = (name: string, sections: readonly Section[], prefixes: readonly string[] = [name]): Group => ({
  name,
  prefixes,
  sections,
  routes: sections.flatMap(({ routes }) => routes),
});

function section<M extends object>(title: string, description: string, routes: M, examples: ExamplesOf<M>): Section {
  const named = Object.entries(routes) as [keyof M, Route][];
  return {
    title,
    description,
    routes: named.map(([, route]) => route),
    examples: new Map(named.map(([name, route]) => [route, examples[name]])),
  };
}

/** Every endpoint group of the API. The stacks, the OpenAPI document and the tests are made from this list. */
export const GROUPS: readonly Group[] = [
  group('auth', [section('Auth', 'Sign in, renew a sign-in and end it.', auth, authExamples)]),
  group(
    'workspaces',
    [
      section(
        'Workspaces',
        'Workspaces of the company and their members. Everything else belongs to one workspace, the one that the caller is signed in to.',
        workspaces,
        workspaceExamples,
      ),
      section(
        'Secrets',
        'Values that pipelines use by name, as `{{ secrets.<name> }}`. A value is stored encrypted and never returned.',
        secrets,
        secretExamples,
      ),
    ],
    ['workspaces', 'secrets'],
  ),
  group('api-keys', [
    section('API keys', 'Long-lived credentials for programs, each with a scope.', apiKeys, apiKeyExamples),
  ]),
  group(
    'entitlements',
    [
      section(
        'Entitlements and usage',
        'What the company is licensed for, and how much of it is used.',
        entitlements,
        entitlementExamples,
      ),
    ],
    ['entitlements', 'usage'],
  ),
  group('data-sources', [
    section(
      'Data sources',
      'Connections to data: uploaded files, Postgres and MySQL databases, S3 buckets and HTTP services. Datasets, queries and pipelines read from them.',
      dataSources,
      dataSourceExamples,
    ),
  ]),
  group('datasets', [
    section(
      'Datasets',
      'Tables of the warehouse. Each load or refresh adds a version; earlier versions can be restored.',
      datasets,
      datasetExamples,
    ),
  ]),
  group('query', [
    section(
      'Queries',
      'Read-only SQL over datasets or over one data source, answered at once or by a job.',
      query,
      queryExamples,
    ),
  ]),
  group('saved-queries', [
    section(
      'Saved queries',
      'Statements kept under a name with typed parameters and a history of versions.',
      savedQueries,
      savedQueryExamples,
    ),
  ]),
  group('pipelines', [
    section(
      'Pipelines',
      'Definitions of pipelines: steps that extract, transform, route and load rows, each waiting for those it depends on.',
      pipelines,
      pipelineExamples,
    ),
    section('Runs', 'Start pipelines, follow their runs step by step, cancel and retry them.', runs, runExamples),
    section(
      'Triggers and backfills',
      'Start a pipeline by a URL, run it for past days, and see why it started or did not.',
      triggers,
      triggerExamples,
    ),
    section(
      'CDC streams',
      'Change data capture: follow the tables of a Postgres source. Pipelines read the rows and their changes.',
      cdcStreams,
      cdcExamples,
    ),
    section('Quality gates', 'What the quality gates of pipelines have found.', qualityGates, qualityExamples),
    section(
      'Pipeline usage',
      'What runs have used, by month, pipeline and sink.',
      pipelineUsage,
      pipelineUsageExamples,
    ),
  ]),
  group(
    'pipeline-authoring',
    [
      section(
        'Flowlets',
        'Named chains of recipe operations with parameters, to use in the recipes of several pipelines.',
        flowlets,
        flowletExamples,
      ),
      section(
        'Pipeline authoring',
        'Help while a pipeline is written: previews of steps, suggested operations, column lineage.',
        { ...lineage, ...previews, ...suggestions },
        authoringExamples,
      ),
    ],
    [],
  ),
  group('webhooks', [
    section(
      'Webhooks',
      'Receivers of events, and the deliveries to them. The requests themselves are listed under Events.',
      webhooks,
      webhookExamples,
    ),
  ]),
  group(
    'docs',
    [section('Documentation', 'This document and the page that shows it.', docs, docsExamples)],
    ['docs', 'openapi.json'],
  ),
];
