import { describe, expect, it } from 'vitest';
import { GROUPS } from '../../../../functions/api.ts';
import { nearestRoute } from '../../../../shared/platform/http/nearest-route.ts';

const ROUTES = GROUPS.flatMap(({ routes }) => routes);
const ID = '0190f1c2-0000-7000-8000-000000000001';

describe('the nearest route of an unknown path', () => {
  it.each([
    ['GET', '/api/pipelins', 'GET /api/pipelines'],
    ['POST', '/api/dataset', 'POST /api/datasets'],
    ['GET', `/api/datasources/${ID}/tables`, 'GET /api/data-sources/{id}/tables'],
    ['POST', `/api/pipelines/${ID}/backfil`, 'POST /api/pipelines/{id}/backfill'],
    ['GET', `/api/datasets/${ID}/previews`, 'GET /api/datasets/{id}/preview'],
    ['GET', '/api/v1/pipelines', 'GET /api/pipelines'],
    ['DELETE', `/api/webhook/${ID}`, 'DELETE /api/webhooks/{id}'],
    ['PUT', `/api/dashboard/${ID}`, 'PUT /api/dashboards/{id}'],
  ])('of %s %s is %s', (method, path, nearest) => {
    expect(nearestRoute(ROUTES, method, path)).toBe(nearest);
  });

  it.each(['/api/wp-login.php', '/api/x/y/z', '/api', `/api/pipelines/${ID}/nonsense-of-some-length/more/and/more`])(
    'of %s is none',
    (path) => {
      expect(nearestRoute(ROUTES, 'GET', path)).toBeUndefined();
    },
  );
});
