import type { Route } from '../shared/platform/http/route.ts';
import * as apiKeys from './api-keys/routes.ts';
import * as auth from './auth/routes.ts';
import * as dataSources from './data-sources/routes.ts';
import * as datasets from './datasets/routes.ts';
import * as docs from './docs/routes.ts';
import * as entitlements from './entitlements/routes.ts';
import * as pipelineFlowlets from './pipeline-authoring/flowlet-routes.ts';
import * as pipelineLineage from './pipeline-authoring/lineage-routes.ts';
import * as pipelinePreviews from './pipeline-authoring/preview-routes.ts';
import * as pipelineSuggestions from './pipeline-authoring/suggest-routes.ts';
import * as pipelineCdc from './pipelines/cdc-routes.ts';
import * as pipelineQuality from './pipelines/quality-routes.ts';
import * as pipelines from './pipelines/routes.ts';
import * as pipelineTriggers from './pipelines/trigger-routes.ts';
import * as pipelineUsage from './pipelines/usage-routes.ts';
import * as query from './query/routes.ts';
import * as savedQueries from './saved-queries/routes.ts';
import * as webhooks from './webhooks/routes.ts';
import * as workspaces from './workspaces/routes.ts';
import * as secrets from './workspaces/secret-routes.ts';

export interface Group {
  /** Folder under `functions/` and name of the Lambda function. */
  name: string;
  /** First path segments under `/api` that belong to the group; none when it serves a part of another's. */
  prefixes: readonly string[];
  title: string;
  routes: readonly Route[];
}

const group = (name: string, title: string, routes: object, prefixes: readonly string[] = [name]): Group => ({
  name,
  prefixes,
  title,
  routes: Object.values(routes) as Route[],
});

/** Every endpoint group of the API. The stacks, the OpenAPI document and the tests are made from this list. */
export const GROUPS: readonly Group[] = [
  group('auth', 'Auth', auth),
  group('api-keys', 'API keys', apiKeys),
  group('workspaces', 'Workspaces and secrets', { ...workspaces, ...secrets }, ['workspaces', 'secrets']),
  group('entitlements', 'Entitlements and usage', entitlements, ['entitlements', 'usage']),
  group('data-sources', 'Data sources', dataSources),
  group('datasets', 'Datasets', datasets),
  group('query', 'Query', query),
  group('saved-queries', 'Saved queries', savedQueries),
  group('pipelines', 'Pipelines', {
    ...pipelines,
    ...pipelineCdc,
    ...pipelineQuality,
    ...pipelineTriggers,
    ...pipelineUsage,
  }),
  group(
    'pipeline-authoring',
    'Pipeline authoring',
    { ...pipelineFlowlets, ...pipelineLineage, ...pipelinePreviews, ...pipelineSuggestions },
    [],
  ),
  group('webhooks', 'Webhooks', webhooks),
  group('docs', 'Documentation', docs, ['docs', 'openapi.json']),
];
