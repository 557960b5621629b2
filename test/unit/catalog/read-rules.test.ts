import { expect, it } from 'vitest';
import { NOTIFIED_KINDS } from '../../../shared/domains/upkeep/subject-kinds/index.ts';
import { ROUTES } from '../../support/samples.ts';

/** The operations that return a single object of a kind. */
const PATHS: Readonly<Record<string, string>> = {
  dashboard: '/api/dashboards/{id}',
  report: '/api/reports/{id}',
  model: '/api/models/{id}',
  metric: '/api/metrics/{id}',
  'saved-query': '/api/saved-queries/{id}',
  dataset: '/api/datasets/{id}',
  story: '/api/stories/{id}',
  alert: '/api/dashboard-alerts/{id}',
  pipeline: '/api/pipelines/{id}',
  term: '/api/catalog/terms/{id}',
};

it('a kind of object needs what the operation needs that returns one of them', () => {
  for (const { type, read } of NOTIFIED_KINDS) {
    const route = ROUTES.find(({ method, path }) => method === 'GET' && path === PATHS[type]);
    expect(route, type).toBeDefined();
    expect({ permission: route!.permission, product: route!.product }, type).toEqual({ product: undefined, ...read });
  }
});
