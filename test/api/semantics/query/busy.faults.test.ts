import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { BUSY_ENGINE, withFault } from '../../../support/faults.ts';

describe('a query', () => {
  it('says that it is busy while the engine is', async ({ api }) => {
    const paths = ['/api/query', '/api/query/validate', '/api/query/jobs'];
    const replies = await withFault(api, BUSY_ENGINE, () =>
      Promise.all(paths.map((path) => api.as('editor').post(path, { sql: 'SELECT 5 AS busy' }))),
    );
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 503, body: { code: 'SERVICE_BUSY' } });
      expect(reply.headers.get('retry-after')).toBe('2');
    }
    expect((await api.as('editor').post('/api/query', { sql: 'SELECT 5 AS busy' })).body.rows).toEqual([[5]]);
  });

  it('says so too when it is a saved one', async ({ api }) => {
    const saved = await api.as('editor').post('/api/saved-queries', { name: 'busy', sql: 'SELECT 3 AS busy' });
    const { id } = saved.body;
    await api.as('editor').patch(`/api/saved-queries/${id}`, { sql: 'SELECT 4 AS busy' });
    const editor = api.as('editor');
    const replies = await withFault(api, BUSY_ENGINE, () =>
      Promise.all([
        editor.post(`/api/saved-queries/${id}/run`, {}),
        editor.post('/api/saved-queries', { name: 'x', sql: 'SELECT 1' }),
        editor.patch(`/api/saved-queries/${id}`, { sql: 'SELECT 5 AS busy' }),
        editor.post(`/api/saved-queries/${id}/versions/1/restore`),
      ]),
    );
    for (const reply of replies) expect(reply).toMatchObject({ status: 503, body: { code: 'SERVICE_BUSY' } });
  });
});
