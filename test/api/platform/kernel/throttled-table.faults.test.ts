import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { withFault } from '../../../support/faults.ts';

it('says that the service is busy while the table takes no more, and goes on when it does', async ({ api }) => {
  const get = () => api.as('viewer').get('/api/pipelines');
  const reply = await withFault(api, { service: 'dynamodb', operation: 'Query', effect: 'throttle' }, get);
  expect(reply).toMatchObject({ status: 503, body: { code: 'SERVICE_BUSY' } });
  expect(reply.headers.get('retry-after')).toBe('5');
  expect((await get()).status).toBe(200);
});
