import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { BUSY_ENGINE, withFault } from '../../../support/faults.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';

it('questions, their rows, previews and values say that the engine is busy', async ({ api }) => {
  const dataset = await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id' });
  const { path } = await givenModel(api);
  const { path: table } = await givenTable(api, path, 'orders');
  const fieldId = await givenField(api, table, 'id', { dataType: 'integer' });
  const requests = [
    [`${table}/preview`, undefined],
    [`${path}/query`, { dimensions: [{ fieldId }] }],
    [`${path}/drill`, { measure: { fieldId, aggregation: 'count' } }],
  ] as const;
  for (const [place, body] of requests) {
    const reply = await withFault(api, BUSY_ENGINE, () => api.as('editor').post(place, body));
    expect(reply, place).toMatchObject({ status: 503, body: { code: 'SERVICE_BUSY' } });
    expect((await api.as('editor').post(place, body)).body.rows).toEqual([[1]]);
  }
  for (const [place, body] of [
    [`${path}/values`, { fieldId }],
    // The statement is that of the model, whose values are cached.
    [`/api/datasets/${dataset.id}/values`, { column: 'id', maxAgeSeconds: 0 }],
  ] as const) {
    const reply = await withFault(api, BUSY_ENGINE, () => api.as('viewer').post(place, body));
    expect(reply, place).toMatchObject({ status: 503, body: { code: 'SERVICE_BUSY' } });
    expect((await api.as('viewer').post(place, body)).body.values).toEqual([1]);
  }
  const policy = { name: 'All', filterExpression: '[id] > 0', appliesTo: [{ type: 'everyone' }] };
  await api.as('owner').post(`${path}/rls`, { ...policy, tableId: table.split('/').at(-1) });
  const { id: userId } = (await api.as('owner').get('/api/auth/me')).body.user;
  const preview = () => api.as('owner').post(`${path}/access-preview`, { userId });
  expect(await withFault(api, BUSY_ENGINE, preview)).toMatchObject({ status: 503, body: { code: 'SERVICE_BUSY' } });
  expect((await preview()).status).toBe(200);
});
