import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { BUSY_ENGINE, withFault } from '../../../support/faults.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { posted } from '../../../support/given/model.ts';

it('the lineage over derived datasets, and what a removal breaks, say that they are busy while the engine is', async ({
  api,
}) => {
  const { id } = await givenDataset(api, { name: 'sales', sql: "SELECT 'eu' AS region" });
  const source = { kind: 'datasets', sql: 'SELECT region FROM sales' };
  const derived = await posted(api, '/api/datasets', { name: 'regions', source });
  const read = (operation = 'lineage') => api.as('viewer').get(`/api/catalog/${operation}/dataset/${id}`);
  for (const operation of ['lineage', 'impact'])
    expect(await withFault(api, BUSY_ENGINE, () => read(operation)), operation).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_BUSY' },
    });
  expect(await read()).toMatchObject({ status: 200, body: { edges: [{ to: { id: derived.id } }] } });
});
