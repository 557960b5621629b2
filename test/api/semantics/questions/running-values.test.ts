import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';

it('values over several periods read those before the filters, and only rows that the reader may see', async ({
  api,
}) => {
  await givenDataset(api, {
    name: 'visits',
    sql: `SELECT day::DATE AS day, region, person, amount FROM (VALUES
      ('2026-01-30', 'eu', 1, 10), ('2026-01-31', 'us', 2, 20), ('2026-02-01', 'eu', 1, 1), ('2026-02-03', 'eu', 3, 2),
      ('2026-02-03', 'us', 2, 4)) AS t(day, region, person, amount)`,
  });
  const { path } = await givenModel(api);
  const visits = await givenTable(api, path, 'visits');
  const day = await givenField(api, visits.path, 'day', { dataType: 'date' });
  for (const [name, dataType] of Object.entries({ region: 'string', person: 'integer', amount: 'integer' }))
    await givenField(api, visits.path, name, { dataType });
  const amount = await posted(api, `${path}/measures`, { name: 'Amount', expression: 'SUM([visits.amount])' });
  const persons = 'COUNT_DISTINCT([visits.person])';
  const question = {
    dimensions: [{ fieldId: day, grain: 'day', fill: 'null' }],
    measures: [
      { measureId: amount.id },
      { label: 'Of three days', expression: 'TRAILING({Amount}, "day", 3)' },
      { label: 'Persons of three days', expression: `TRAILING(${persons}, "day", 3)` },
      { label: 'Persons to date', expression: `CUMULATIVE(${persons}, "month")` },
    ],
    filters: [{ fieldId: day, op: 'between', values: ['2026-02-01', '2026-02-03'] }],
  };
  const rowsFor = async (caller: ReturnType<typeof api.as>) => {
    const reply = await caller.post(`${path}/query`, question);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return (reply.body.rows as unknown[][]).map((row) =>
      row.map((value, index) => (index > 0 && value ? Number(value) : value)),
    );
  };
  expect(await rowsFor(api.as('viewer'))).toEqual([
    ['2026-02-01', 1, 31, 2, 1],
    ['2026-02-02', null, 21, 2, 1],
    ['2026-02-03', 6, 7, 3, 3],
  ]);
  const drilled = await api.as('viewer').post(`${path}/drill`, {
    dimensions: [{ fieldId: day, grain: 'day' }],
    values: ['2026-02-02'],
    filters: question.filters,
    measure: { expression: 'TRAILING({Amount}, "day", 3)', label: 'Of three days' },
    columns: [{ fieldId: day }],
  });
  expect(drilled).toMatchObject({ status: 200, body: { rows: [['2026-01-31'], ['2026-02-01']] } });

  await givenPolicy(api, path, { tableId: visits.id });
  const eu = await givenReader(api, { attributes: { region: 'eu' } });
  expect(await rowsFor(eu.caller)).toEqual([
    ['2026-02-01', 1, 11, 1, 1],
    ['2026-02-02', null, 1, 1, 1],
    ['2026-02-03', 2, 3, 2, 2],
  ]);
});

it('places and parts of parents are those of the groups that the reader may see', async ({ api }) => {
  await givenDataset(api, {
    name: 'sales',
    sql: `SELECT * FROM (VALUES ('eu', 'Bonn', 30), ('eu', 'Rome', 10), ('us', 'Reno', 60)) AS t(region, city, amount)`,
  });
  const { path } = await givenModel(api);
  const sales = await givenTable(api, path, 'sales');
  const region = await givenField(api, sales.path, 'region');
  const city = await givenField(api, sales.path, 'city');
  await givenField(api, sales.path, 'amount', { dataType: 'integer' });
  await posted(api, `${path}/measures`, { name: 'Share', expression: 'SHARE(SUM([sales.amount]))' });
  const question = {
    dimensions: [{ fieldId: region }, { fieldId: city }],
    measures: [
      { label: 'Of region', expression: 'SHARE_OF_PARENT(SUM([sales.amount]))' },
      { label: 'Place', expression: 'RANK({Share})' },
    ],
    sort: [{ column: 'Place' }],
    totals: 'all',
  };
  const asked = async (caller: ReturnType<typeof api.as>) => {
    const reply = await caller.post(`${path}/query`, question);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return [reply.body.rows, reply.body.totals.map(({ row }: { row: unknown[] }) => row)];
  };
  expect(await asked(api.as('viewer'))).toEqual([
    [
      ['us', 'Reno', 1, 1],
      ['eu', 'Bonn', 0.75, 2],
      ['eu', 'Rome', 0.25, 3],
    ],
    [
      [null, null, null, 1],
      ['us', null, 0.6, 1],
      ['eu', null, 0.4, 2],
    ],
  ]);
  await givenPolicy(api, path, { tableId: sales.id });
  const eu = await givenReader(api, { attributes: { region: 'eu' } });
  expect(await asked(eu.caller)).toEqual([
    [
      ['eu', 'Bonn', 0.75, 1],
      ['eu', 'Rome', 0.25, 2],
    ],
    [
      [null, null, null, 1],
      ['eu', null, 1, 1],
    ],
  ]);
});
