import type { ObjectKind } from '../../../../shared/domains/catalog/definitions/index.ts';
import type { ObjectPlace } from './kind.ts';

/** The operations of each kind of object. */
export const PLACES: Readonly<Record<ObjectKind, ObjectPlace>> = {
  source: { group: 'data-sources', path: '/api/data-sources', noun: 'data source' },
  dataset: { group: 'datasets', path: '/api/datasets', noun: 'dataset' },
  query: { group: 'saved-queries', path: '/api/saved-queries', noun: 'saved query' },
  model: { group: 'models', path: '/api/models', noun: 'model' },
  metric: { group: 'metrics', path: '/api/metrics', noun: 'metric' },
  'quality-test': { group: 'data-quality', path: '/api/data-quality/tests', noun: 'data-quality test' },
  pipeline: { group: 'pipelines', path: '/api/pipelines', noun: 'pipeline' },
  theme: { group: 'themes', path: '/api/themes', noun: 'theme' },
  webhook: { group: 'webhooks', path: '/api/webhooks', noun: 'webhook' },
  group: { group: 'groups', path: '/api/groups', noun: 'group' },
};
