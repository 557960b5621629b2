import { expect, it } from 'vitest';
import { KEY_SCOPES, PERMISSIONS, type Permission, ROLES } from '../../../../shared/platform/auth/permissions.ts';
import { ROUTES } from '../../../support/samples.ts';

const PATHS = {
  'data-source': '/api/data-sources/{id}',
  dataset: '/api/datasets/{id}',
  pipeline: '/api/pipelines/{id}',
  'saved-query': '/api/saved-queries/{id}',
  metric: '/api/metrics/{id}',
  dashboard: '/api/dashboards/{id}',
  report: '/api/reports/{id}',
  story: '/api/stories/{id}',
};

it('routes that a limited API key reaches name the kind of object that their path has', () => {
  const declared = ROUTES.flatMap(({ object, path }) => (object === undefined ? [] : [{ object, path }]));
  expect(new Set(declared.map(({ object }) => object))).toEqual(new Set(Object.keys(PATHS)));
  for (const { object, path } of declared) {
    expect(path === PATHS[object] || path.startsWith(`${PATHS[object]}/`), `${object} ${path}`).toBe(true);
  }
});

it('a limited API key reaches no operation that can lead to other objects, or that gives out access', () => {
  const reached = new Set(ROUTES.flatMap(({ object, operationId }) => (object === undefined ? [] : [operationId])));
  for (const operation of [
    'updatePipeline',
    'validatePipeline',
    'previewTransform',
    'getWebhookTrigger',
    'rotateWebhookToken',
    'getPipelineLineage',
    'updateDataset',
    'updateSavedQuery',
    'restoreSavedQueryVersion',
    'setSavedQueryAccess',
    'updateDataSource',
    'updateMetric',
    'setMetricAccess',
    'updateDashboard',
    'duplicateDashboard',
    'grantDashboardAccess',
    'updateReport',
    'setReportAccess',
    'runQuery',
  ]) {
    expect(reached, operation).not.toContain(operation);
  }
});

it('only agents and definitions are reached by all limited API keys, and every role and key has their permission', () => {
  const reached = ROUTES.filter(({ reachesByOperations }) => reachesByOperations);
  expect(reached.map(({ operationId }) => operationId).sort()).toEqual([
    'callMcp',
    'compareDefinitionSecrets',
    'deleteDefinition',
    'deployDefinition',
    'getDefinition',
    'listDefinitionKinds',
    'listDefinitions',
    'moveDefinition',
  ]);
  for (const { permission } of reached)
    expect(PERMISSIONS[permission as Permission]).toEqual({ role: ROLES[0], key: KEY_SCOPES[0] });
});
