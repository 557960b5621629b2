import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { BUSY_ENGINE, withFault } from '../../../support/faults.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';

it('metrics say that they are busy while the engine is', async ({ api }) => {
  const { definition, fields } = await givenSalesModel(api);
  const { path } = await givenMetric(api, definition);
  const parts = ['value', 'series', `drivers?by=${fields.region}`, 'anomalies'];
  const read = () => Promise.all(parts.map((part) => api.as('viewer').get(`${path}/${part}`)));
  for (const reply of await withFault(api, BUSY_ENGINE, read)) {
    expect(reply).toMatchObject({ status: 503, body: { code: 'SERVICE_BUSY' } });
  }
  for (const reply of await read()) expect(reply.status, JSON.stringify(reply.body)).toBe(200);
});
