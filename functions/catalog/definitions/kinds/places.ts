import type { ObjectKind } from '../../../../shared/domains/catalog/definitions/index.ts';
import type { ObjectPlace } from './kind.ts';

/** The operations of each kind of object. */
export const PLACES: Readonly<Record<ObjectKind, ObjectPlace>> = {
  source: { group: 'data-sources', path: '/api/data-sources', noun: 'data source' },
  dataset: { group: 'datasets', path: '/api/datasets', noun: 'dataset' },
  query: { group: 'saved-queries', path: '/api/saved-queries', noun: 'saved query' },
  theme: { group: 'themes', path: '/api/themes', noun: 'theme' },
};
