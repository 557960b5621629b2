import { expect } from 'vitest';
import { it } from '../../support/api.ts';
import { BUSY_ENGINE, withFault } from '../../support/faults.ts';
import { givenDataset } from '../../support/given/dataset.ts';
import { givenModel, givenTable } from '../../support/given/model.ts';

it('the preview of a table says that the engine is busy', async ({ api }) => {
  await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id' });
  const { path } = await givenModel(api);
  const { path: table } = await givenTable(api, path, 'orders');
  const reply = await withFault(api, BUSY_ENGINE, () => api.as('editor').post(`${table}/preview`));
  expect(reply).toMatchObject({ status: 503, body: { code: 'SERVICE_BUSY' } });
  expect((await api.as('editor').post(`${table}/preview`)).body.rows).toEqual([[1]]);
});
