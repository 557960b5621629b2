import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { issuesOf, posted } from '../../../support/given/model.ts';

it('a reader of a card drills down hierarchies and periods, and to the rows behind a number, within their rights', async ({
  api,
}) => {
  const { path: model, modelId, table, fields, revenue, average, definition } = await givenSalesModel(api);
  const { day, region } = fields;
  const levels = [{ fieldId: region }, { fieldId: day, label: 'Day' }];
  await posted(api, `${model}/hierarchies`, { name: 'Where', levels });
  const rights = { viewer: "[region] = 'eu'", editor: 'TRUE' };
  for (const [id, filterExpression] of Object.entries(rights)) {
    const policy = { name: id, tableId: table.id, filterExpression, appliesTo: [{ type: 'role', id }] };
    expect((await api.as('owner').post(`${model}/rls`, policy)).status).toBe(201);
  }
  const metric = await givenMetric(api, definition);
  const query = { source: { kind: 'model', id: modelId }, measures: [{ measureId: revenue }, { measureId: average }] };
  const sort = [{ column: 'day (quarter)' }];
  const { path, read } = await givenCards(api, [
    card('quarters', chart({ ...query, dimensions: [{ fieldId: day, grain: 'quarter' }], sort })),
    card('regions', chart({ ...query, dimensions: [{ fieldId: region, label: 'Region' }] })),
    card('bars', {
      ...chart({
        ...query,
        measures: [{ measureId: revenue, label: 'Sum' }],
        dimensions: [{ fieldId: day, grain: 'quarter' }],
      }),
      mark: { type: 'bar' },
      encoding: { x: { field: 'day (quarter)', axis: { format: '%b' } }, y: { field: 'Sum' } },
    }),
    card('metric', chart({ source: { kind: 'metric', id: metric.path.split('/').at(-1) } })),
  ]);
  expect((await api.as('editor').post(`${path}/publish`)).status).toBe(200);
  const namesOf = ({ columns }: { columns: { name: string }[] }) => columns.map(({ name }) => name);

  expect((await read('quarters')).drillDown).toEqual([{ column: 'day (quarter)', to: 'day (month)' }]);
  expect((await read('regions')).drillDown).toEqual([{ column: 'Region', to: 'Day' }]);
  expect((await read('metric')).drillDown).toEqual([]);

  const toMonths = { to: 'nextLevel', values: { [day]: '2024-01-01' } };
  const months = await read('quarters', { drill: [toMonths] });
  expect(months).toMatchObject({ columns: [{ name: 'day (month)', grain: 'month' }, {}, {}], rowCount: 3 });
  expect(months.rows.map(([month, total]: unknown[]) => `${month} ${Number(total)}`)).toEqual([
    '2024-01-01 150',
    '2024-02-01 147',
    '2024-03-01 161',
  ]);
  expect(months.drillDown).toEqual([{ column: 'day (month)', to: 'day (day)' }]);
  const drawn = async (cardId: string, drill: object[]) =>
    (await api.as('editor').post(`${path}/cards/${cardId}/image`, { drill })).bytes.toString();
  expect(await drawn('bars', [toMonths])).toContain('day (month): Feb 2024; ');
  const toRows = { to: 'rows', values: { [day]: '2024-02-01' } };
  expect(await drawn('bars', [toMonths, toRows])).toContain(': 4 rows"');
  const behind = await read('quarters', { drill: [toMonths, toRows] });
  expect([namesOf(behind).sort(), behind.rowCount]).toEqual([['amount', 'day', 'region', 'sold'], 4]);
  expect((await read('quarters', { drill: [toMonths, toRows] }, 'viewer')).rowCount).toBe(2);
  const filtered = { drill: [toMonths, toRows], filters: [{ fieldId: region, op: 'eq', values: ['us'] }] };
  expect((await read('quarters', filtered)).rowCount).toBe(2);
  expect((await read('quarters', filtered, 'viewer')).rowCount).toBe(0);

  const toDays = { to: 'nextLevel', dimension: 'Region', values: { Region: 'eu' } };
  const days = await read('regions', { drill: [toDays] });
  expect([namesOf(days)[0], days.rowCount]).toEqual(['Day', 5]);
  expect((await read('regions', { drill: [{ to: 'rows', values: { Region: null }, measure: 1 }] })).rowCount).toBe(1);
  expect((await read('regions', { drill: [{ to: 'rows', values: {} }] }, 'viewer')).rowCount).toBe(5);

  const rejected = async (cardId: string, ...drill: object[]) =>
    issuesOf(await api.as('editor').post(`${path}/cards/${cardId}/data`, { drill }));
  const byMonth = { to: 'grain', grain: 'month', values: {} };
  const whole = await read('quarters', { drill: [byMonth] });
  expect(whole.rows.map(([month, total]: unknown[]) => `${month} ${Number(total)}`)).toEqual([
    '2024-01-01 150',
    '2024-02-01 147',
    '2024-03-01 161',
  ]);
  expect([namesOf(whole)[0], whole.drillDown]).toEqual(['day (month)', [{ column: 'day (month)', to: 'day (day)' }]]);
  const years = await read('quarters', { drill: [{ ...byMonth, grain: 'year', dimension: day }] }, 'viewer');
  expect(years.rows.map(([year, total]: unknown[]) => `${year} ${Number(total)}`)).toEqual(['2024-01-01 297']);
  const february = await read('quarters', { drill: [byMonth, { to: 'rows', values: { [day]: '2024-02-01' } }] });
  expect(february.rowCount).toBe(4);
  expect(await drawn('bars', [byMonth])).toContain('day (month): Feb 2024; ');
  const metricYears = await read('metric', { drill: [{ ...byMonth, grain: 'year' }] });
  expect([metricYears.columns[0].grain, metricYears.rowCount]).toEqual(['year', 5]);
  expect(await rejected('metric', { to: 'grain', values: {} })).toEqual(['/drill/0/grain REQUIRED']);
  expect(await rejected('quarters', { to: 'grain', values: {} })).toEqual(['/drill/0/grain REQUIRED']);
  expect(await rejected('regions', byMonth)).toEqual(['/drill/0/dimension CONFLICT']);
  expect(await rejected('metric', byMonth, toRows)).toEqual(['/drill CONFLICT']);
  expect(await rejected('metric', toRows)).toEqual(['/drill CONFLICT']);
  expect(await rejected('quarters', toRows, toMonths)).toEqual(['/drill/0/to CONFLICT']);
  expect(await rejected('quarters', { to: 'nextLevel', values: { x: 1 } })).toEqual(['/drill/0/values/x UNKNOWN']);
  expect(await rejected('quarters', { to: 'rows', values: { x: 1 } })).toEqual(['/drill/0/values/x UNKNOWN']);
  expect(await rejected('quarters', { to: 'rows', values: { [day]: 'soon' } })).toEqual(['/drill/0/values TYPE']);
  expect(await rejected('quarters', { to: 'rows', values: {}, measure: 7 })).toEqual(['/drill/0/measure UNKNOWN']);
  expect(await rejected('quarters', { ...toMonths, dimension: 'y' })).toEqual(['/drill/0/dimension UNKNOWN']);
  expect(await rejected('regions', toDays, { to: 'nextLevel', values: {} })).toEqual([
    '/drill/1/dimension NO_NEXT_LEVEL',
  ]);
});
