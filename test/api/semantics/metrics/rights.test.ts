import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';

describe('the values of a metric', () => {
  it('come from the rows that the caller may see, also when the answers of others are cached', async ({ api }) => {
    const { definition, path: model, table, fields } = await givenSalesModel(api);
    const { path } = await givenMetric(api, definition);
    const policy = {
      name: 'Europe',
      tableId: table.id,
      filterExpression: "[region] = 'eu'",
      appliesTo: [{ type: 'role', id: 'viewer' }],
    };
    const asOf = 'asOf=2024-03-31T00:00:00Z';
    const parts = [`value?${asOf}`, 'series?from=2024-03-01&to=2024-03-31', `drivers?${asOf}&by=${fields.region}`];
    const read = (actor: 'viewer' | 'editor') =>
      Promise.all(parts.map(async (part) => (await api.as(actor).get(`${path}/${part}`)).body));
    await read('editor');
    await read('viewer');
    const made = await api.as('owner').post(`${model}/rls`, policy);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const [value, series, drivers] = await read('viewer');
    expect(value).toMatchObject({ value: '60.00', comparison: { value: '87.00' } });
    expect(series.points).toMatchObject([{ value: '60.00' }]);
    expect(drivers).toMatchObject({ total: { current: '60.00' }, items: [{ value: 'eu' }], restCount: 0 });
    const [none] = await read('editor');
    expect(none).toMatchObject({ value: null, comparison: { value: null } });
  });

  it('are hidden from people who may not see what they are computed from', async ({ api }) => {
    const { definition, table, fields } = await givenSalesModel(api);
    const { path } = await givenMetric(api, definition);
    const field = `${table.path}/fields/${fields.amount}`;
    const labelled = await api.as('owner').put(field, { sensitivityLabel: 'finance' });
    expect(labelled.status, JSON.stringify(labelled.body)).toBe(200);
    for (const part of ['value', 'series', `drivers?by=${fields.region}`, 'anomalies']) {
      expect(await api.as('viewer').get(`${path}/${part}`), part).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN', errors: [{ code: '2004' }] },
      });
    }
    expect((await api.as('viewer').get(path)).body).toMatchObject({ stale: false, diagnostics: [] });
    const create = await api.as('editor').post('/api/metrics', { ...definition, name: 'again' });
    expect(create).toMatchObject({ status: 400, body: { errors: [{ code: '2004' }] } });
  });
});
