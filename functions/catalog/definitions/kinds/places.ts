import type { ObjectKind } from '../../../../shared/domains/catalog/definitions/index.ts';
import type { ObjectPlace } from './kind.ts';

/** The operations of each kind of object. */
export const PLACES: Readonly<Record<ObjectKind, ObjectPlace>> = {
  source: { group: 'data-sources', path: '/api/data-sources', changedBy: 'PATCH', noun: 'data source' },
  dataset: { group: 'datasets', path: '/api/datasets', changedBy: 'PATCH', noun: 'dataset' },
  query: { group: 'saved-queries', path: '/api/saved-queries', changedBy: 'PATCH', noun: 'saved query' },
  model: { group: 'models', path: '/api/models', changedBy: 'PATCH', noun: 'model' },
  metric: { group: 'metrics', path: '/api/metrics', changedBy: 'PATCH', noun: 'metric' },
  'quality-test': {
    group: 'data-quality',
    path: '/api/data-quality/tests',
    changedBy: 'PUT',
    noun: 'data-quality test',
  },
  pipeline: { group: 'pipelines', path: '/api/pipelines', changedBy: 'PATCH', noun: 'pipeline' },
  dashboard: { group: 'dashboards', path: '/api/dashboards', changedBy: 'PATCH', noun: 'dashboard' },
  theme: { group: 'themes', path: '/api/themes', changedBy: 'PUT', noun: 'theme' },
  webhook: { group: 'webhooks', path: '/api/webhooks', changedBy: 'PATCH', noun: 'webhook' },
  group: { group: 'groups', path: '/api/groups', changedBy: 'PATCH', noun: 'group' },
};
