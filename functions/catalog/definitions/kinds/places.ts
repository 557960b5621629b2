import type { ObjectKind } from '../../../../shared/domains/catalog/definitions/index.ts';
import type { ObjectPlace } from './kind.ts';

/** The operations of each kind of object, and how its records are stored. */
export const PLACES: Readonly<Record<ObjectKind, ObjectPlace>> = {
  source: {
    ...{ group: 'data-sources', path: '/api/data-sources', changedBy: 'PATCH' },
    ...{ noun: 'data source', entity: 'data-source' },
  },
  dataset: { group: 'datasets', path: '/api/datasets', changedBy: 'PATCH', noun: 'dataset', entity: 'dataset' },
  query: {
    ...{ group: 'saved-queries', path: '/api/saved-queries', changedBy: 'PATCH' },
    ...{ noun: 'saved query', entity: 'saved-query' },
  },
  model: { group: 'models', path: '/api/models', changedBy: 'PATCH', noun: 'model', entity: 'model' },
  blend: { group: 'blends', path: '/api/composite-models', changedBy: 'PUT', noun: 'blend', entity: 'blend' },
  metric: { group: 'metrics', path: '/api/metrics', changedBy: 'PATCH', noun: 'metric', entity: 'metric' },
  'quality-test': {
    ...{ group: 'data-quality', path: '/api/data-quality/tests', changedBy: 'PUT' },
    ...{ noun: 'data-quality test', entity: 'quality-test' },
  },
  pipeline: { group: 'pipelines', path: '/api/pipelines', changedBy: 'PATCH', noun: 'pipeline', entity: 'pipeline' },
  flowlet: {
    ...{ group: 'pipeline-authoring', path: '/api/pipelines/flowlets', changedBy: 'POST' },
    ...{ noun: 'flowlet', entity: 'flowlet-name' },
  },
  dashboard: {
    ...{ group: 'dashboards', path: '/api/dashboards', changedBy: 'PATCH' },
    ...{ noun: 'dashboard', entity: 'dashboard', isInParts: true },
  },
  report: {
    ...{ group: 'reports', path: '/api/reports', changedBy: 'PUT' },
    ...{ noun: 'report', entity: 'report', isInParts: true },
  },
  theme: { group: 'themes', path: '/api/themes', changedBy: 'PUT', noun: 'theme', entity: 'theme' },
  alert: { group: 'alerts', path: '/api/dashboard-alerts', changedBy: 'PUT', noun: 'alert', entity: 'alert' },
  webhook: { group: 'webhooks', path: '/api/webhooks', changedBy: 'PATCH', noun: 'webhook', entity: 'webhook' },
  term: { group: 'catalog', path: '/api/catalog/terms', changedBy: 'PATCH', noun: 'term', entity: 'term' },
  group: { group: 'groups', path: '/api/groups', changedBy: 'PATCH', noun: 'group', entity: 'group' },
};
