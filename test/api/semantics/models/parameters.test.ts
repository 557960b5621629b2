import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, issuesOf, posted } from '../../../support/given/model.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';
import { givenEmbedToken, givenShare, publish } from '../../../support/given/shares.ts';

const ORDERS = `SELECT * FROM (VALUES ('eu', DATE '2025-11-03', 10), ('eu', DATE '2026-01-05', 20),
  ('us', DATE '2026-02-07', 40)) AS t(region, placed, amount)`;

const PARAMETERS = [
  { name: 'factor', dataType: 'integer', default: 1, allowedValues: [1, -2, 3] },
  { name: 'grain', dataType: 'string', default: 'month', allowedValues: ['month', 'year'] },
  { name: 'since', dataType: 'date', default: '2000-01-01' },
  { name: 'place', dataType: 'string', default: 'eu' },
  { name: 'rate', dataType: 'decimal', default: 2 },
  { name: 'net', dataType: 'boolean', default: false },
];

async function given(api: Api, parameters: object[] = PARAMETERS) {
  await givenDataset(api, { name: 'orders', sql: ORDERS });
  const model = await givenModel(api);
  const table = await givenTable(api, model.path, 'orders');
  await givenField(api, table.path, 'region');
  await givenField(api, table.path, 'placed', { dataType: 'date' });
  await givenField(api, table.path, 'amount', { dataType: 'integer' });
  const changed = await api.as('editor').put(model.path, { parameters });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  const expression = 'SUM([orders.amount]) * {factor}';
  const measure = await posted(api, `${model.path}/measures`, { name: 'Scaled', expression });
  const ask = (question: object, caller = api.as('viewer')) => caller.post(`${model.path}/query`, question);
  const answer = async (question: object, caller = api.as('viewer')) => {
    const reply = await ask(question, caller);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body.rows.map((row: unknown[]) =>
      row.map((value) => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value)),
    );
  };
  return { model, table, measure, ask, answer };
}

describe('parameters of a model', () => {
  it('are constants of measures, dimensions and filters, which questions choose', async ({ api }) => {
    const { model, measure, answer } = await given(api);
    expect((await api.as('viewer').get(model.path)).body.parameters).toEqual(PARAMETERS);
    const scaled = { measures: [{ measureId: measure.id }] };
    expect(await answer(scaled)).toEqual([[70]]);
    expect(await answer({ ...scaled, parameters: { factor: -2 } })).toEqual([[-140]]);
    // The answer of another choice is not that of the cache.
    expect(await answer({ ...scaled, parameters: { factor: 3 } })).toEqual([[210]]);
    expect(await answer(scaled)).toEqual([[70]]);

    const question = {
      dimensions: [{ label: 'Period', expression: 'DATE_TRUNC({grain}, [orders.placed])' }],
      measures: [
        { label: 'All', expression: 'SUM([orders.amount])' },
        { label: 'Here', expression: 'SUM([orders.amount]) FILTER (WHERE [orders.region] = {place})' },
        { label: 'Rate', expression: 'CASE WHEN {net} THEN MAX([orders.amount]) * {rate} ELSE 0 END' },
      ],
      filters: [{ expression: '[orders.placed] >= {since}' }],
    };
    expect(await answer(question)).toEqual([
      ['2025-11-01', 10, 10, 0],
      ['2026-01-01', 20, 20, 0],
      ['2026-02-01', 40, null, 0],
    ]);
    const parameters = { grain: 'year', since: '2026-01-01', place: 'us', net: true, rate: 0.5 };
    expect(await answer({ ...question, parameters })).toEqual([['2026-01-01', 60, 40, 20]]);

    const hostile = `'); DROP TABLE orders; --`;
    expect(await answer({ ...question, parameters: { place: hostile, grain: 'year' } })).toEqual([
      ['2025-01-01', 10, null, 0],
      ['2026-01-01', 60, null, 0],
    ]);
    const behind = await api.as('viewer').post(`${model.path}/drill`, {
      measure: { label: 'Here', expression: 'SUM([orders.amount]) FILTER (WHERE [orders.region] = {place})' },
      parameters: { place: 'us' },
    });
    expect(behind.body.rows, JSON.stringify(behind.body)).toEqual([['us', '2026-02-07', 40]]);
  });

  it('are refused with each value that does not fit', async ({ api }) => {
    const { model, ask } = await given(api);
    const parameters = { factor: 2, grain: 'day', since: '2026-02-30', place: 1, rate: '1', net: 'true', fctor: 1 };
    const reply = await ask({ measures: [{ label: 'n', expression: 'COUNT([orders.amount])' }], parameters });
    expect([reply.status, ...issuesOf(reply)]).toEqual([
      400,
      '/parameters/factor NOT_ALLOWED',
      '/parameters/grain NOT_ALLOWED',
      '/parameters/since TYPE',
      '/parameters/place TYPE',
      '/parameters/rate TYPE',
      '/parameters/net TYPE',
      '/parameters/fctor UNKNOWN',
    ]);
    const changed = await api.as('editor').put(model.path, {
      parameters: [
        { name: 'a', dataType: 'integer', default: 1.5 },
        { name: 'A', dataType: 'date', default: 'today', allowedValues: ['2026-01-01', 1] },
        { name: 'b', dataType: 'string', default: 'x', allowedValues: ['y'] },
        { name: 'scaled', dataType: 'string', default: '' },
      ],
    });
    expect(issuesOf(changed)).toEqual([
      '/parameters/0/default TYPE',
      '/parameters/1/name DUPLICATE',
      '/parameters/1/default TYPE',
      '/parameters/1/allowedValues/1 TYPE',
      '/parameters/2/default NOT_ALLOWED',
      '/parameters/3/name CONFLICT',
    ]);
    expect((await api.as('editor').get(model.path)).body.parameters).toEqual(PARAMETERS);
    const taken = await api.as('editor').post(`${model.path}/measures`, { name: 'Factor', expression: 'COUNT(*)' });
    expect([taken.status, taken.body.code]).toEqual([409, 'MODEL_MEASURE_NAME_TAKEN']);
    expect((await api.as('viewer').put(model.path, { parameters: [] })).status).toBe(403);
    expect((await api.as('stranger').put(model.path, { parameters: [] })).status).toBe(404);
  });

  it('do not change which rows a reader may see', async ({ api }) => {
    const { model, table, measure, answer } = await given(api);
    const refused = await api.as('owner').post(`${model.path}/rls`, {
      name: 'By choice',
      tableId: table.id,
      filterExpression: '[region] = {place}',
      appliesTo: [{ type: 'everyone' }],
    });
    expect([refused.status, ...issuesOf(refused)]).toEqual([400, '/filterExpression 2002']);
    const field = { name: 'scaled', fieldType: 'calculated', dataType: 'integer', expression: '[amount] * {factor}' };
    expect((await api.as('editor').post(`${table.path}/fields`, field)).status).toBe(400);
    await givenPolicy(api, model.path, { tableId: table.id });
    const { caller } = await givenReader(api, { role: 'viewer', attributes: { region: 'us' } });
    expect(await answer({ measures: [{ measureId: measure.id }], parameters: { factor: 3 } }, caller)).toEqual([[120]]);
  });

  it('are in the file of the model, and measures without them are stale', async ({ api }) => {
    const { model } = await given(api, PARAMETERS.slice(0, 2));
    const put = (text: string) =>
      api.as('editor').send('PUT', `${model.path}/file`, { text, headers: { 'content-type': 'application/yaml' } });
    const { body: file } = await api.as('editor').get(`${model.path}/file`);
    expect(file).toContain('parameters:\n  - name: factor\n    dataType: integer\n    default: 1\n');
    const same = await put(file);
    expect([same.status, same.body.model]).toEqual([200, []]);
    const more = await put(file.replace('default: month', 'default: year'));
    expect([more.status, more.body.model], JSON.stringify(more.body)).toEqual([200, ['parameters']]);
    expect((await api.as('editor').get(model.path)).body.parameters[1].default).toBe('year');
    const wrong = await put(file.replace('default: 1\n', 'default: 5\n').replace('name: Scaled', 'name: GRAIN'));
    expect([wrong.status, ...issuesOf(wrong)]).toEqual([
      400,
      '/parameters/0/default NOT_ALLOWED',
      '/parameters/1/name CONFLICT',
    ]);
    expect((await api.as('editor').put(model.path, { parameters: [] })).status).toBe(200);
    expect((await api.as('editor').get(model.path)).body).toMatchObject({ parameters: [], staleMeasures: 1 });
  });

  it('are chosen by charts', async ({ api }) => {
    const { model, measure } = await given(api);
    const query = { source: { kind: 'model', id: model.id }, measures: [{ measureId: measure.id, label: 'Scaled' }] };
    const { path, read } = await givenCards(api, [
      card('three', chart({ ...query, params: { factor: 3, grain: null } })),
      card('wrong', chart({ ...query, params: { factor: 7 } })),
    ]);
    const { rows } = await read('three');
    expect(rows.map(([value]: unknown[]) => Number(value))).toEqual([210]);
    const behind = await read('three', { drill: [{ to: 'rows', values: {} }] });
    expect(behind.rowCount).toBe(3);
    const wrong = await api.as('editor').post(`${path}/cards/wrong/data`, {});
    expect([wrong.body.code, ...issuesOf(wrong)]).toEqual([
      'CHART_SPEC_INVALID',
      '/chartSpec/query/params/factor NOT_ALLOWED',
    ]);
  });

  it('are chosen by filters of dashboards and parameters of reports, where the values fit', async ({ api }) => {
    const { model, measure } = await given(api);
    const query = { source: { kind: 'model', id: model.id }, measures: [{ measureId: measure.id, label: 'Scaled' }] };
    const { id, path, read } = await givenCards(api, [card('scaled', chart({ ...query, params: { factor: -2 } }))]);
    const factor = await posted(api, `${path}/filters`, { fieldId: 'factor', filterType: 'select' });
    const place = await posted(api, `${path}/filters`, { fieldId: 'place', filterType: 'select' });
    const values = async (body: object) =>
      (await api.as('editor').post(`${path}/filters/${factor.id}/values`, body)).body;
    expect(await values({})).toEqual({ values: [1, -2, 3], truncated: false, asOf: null });
    expect(await values({ search: '2' })).toMatchObject({ values: [-2] });
    expect(await values({ limit: 1, offset: 1 })).toMatchObject({ values: [-2], truncated: true });
    const anyPlace = await api.as('editor').post(`${path}/filters/${place.id}/values`, {});
    expect(anyPlace.body).toMatchObject({ values: [] });

    const choose = (value: unknown, op = 'eq') => ({ filters: [{ filterId: factor.id, op, values: [value] }] });
    const numbers = ({ rows }: { rows: unknown[][] }) => rows.map(([value]) => Number(value));
    expect(numbers(await read('scaled'))).toEqual([-140]);
    const chosen = await read('scaled', choose('3', 'in'));
    expect([numbers(chosen), chosen.ignoredFilters]).toEqual([[210], []]);
    const behind = await read('scaled', { ...choose(3), drill: [{ to: 'rows', values: {} }] });
    expect(behind.rowCount).toBe(3);
    const refused = async (filters: object[]) => {
      const reply = await api.as('editor').post(`${path}/cards/scaled/data`, { filters });
      return [reply.status, reply.body.code, ...issuesOf(reply)];
    };
    expect(await refused(choose(7).filters)).toEqual([400, 'VALIDATION_FAILED', '/filters/0/values/0 NOT_ALLOWED']);
    expect(await refused(choose(1, 'ne').filters)).toEqual([400, 'VALIDATION_FAILED', '/filters/0 CONFLICT']);
    const both = [...choose(1).filters, { fieldId: 'factor', op: 'eq', values: [3] }];
    expect(await refused(both)).toEqual([400, 'VALIDATION_FAILED', '/filters/1/values CONFLICT']);

    // No row has a parameter, so a link that locks one shows no card.
    await publish(api, path);
    const { reader } = await givenShare(api, id);
    expect(await reader.rows('scaled', { distinctColumn: 'factor' })).toEqual([[1], [-2], [3]]);
    expect(await reader.rows('scaled', { distinctColumn: 'factor', search: '3' })).toEqual([[3]]);
    expect(numbers({ rows: await reader.rows('scaled', choose(3)) })).toEqual([210]);
    const lockedFilters = [{ fieldId: 'factor', op: 'eq', values: [1] }];
    const embedded = (await givenEmbedToken(api, id, { lockedFilters })).reader;
    expect(await embedded.post('card-data', { cardId: 'scaled' })).toMatchObject({ body: { code: 'CARD_UNREADABLE' } });

    const report = await posted(api, '/api/reports', {
      name: `Scaled ${crypto.randomUUID()}`,
      parameters: [{ name: 'times', type: 'number' }],
      layout: {
        blocks: [
          {
            id: 'scaled',
            type: 'table',
            chartSpec: chart(query),
            bindings: [{ parameter: 'times', queryParameter: 'factor' }],
          },
        ],
      },
    });
    const block = await api
      .as('editor')
      .post(`/api/reports/${report.id}/blocks/scaled/data`, { parameters: [{ name: 'times', value: 3 }] });
    expect(numbers(block.body), JSON.stringify(block.body)).toEqual([210]);
  });

  it('are part of the meaning of a certified model', async ({ api }) => {
    const { model } = await given(api);
    expect((await api.as('owner').put(model.path, { isCertified: true })).body.isCertified).toBe(true);
    const same = await api.as('editor').put(model.path, { parameters: PARAMETERS });
    expect(same.body.isCertified).toBe(true);
    const parameters = PARAMETERS.map((each) => (each.name === 'factor' ? { ...each, default: 3 } : each));
    const changed = await api.as('editor').put(model.path, { parameters });
    expect([changed.status, changed.body.isCertified]).toEqual([200, false]);
  });

  it('choose the aggregates of rollups', async ({ api }) => {
    const { model, measure, answer } = await given(api);
    const expression = 'SUM([orders.amount] * {factor})';
    const inside = await posted(api, `${model.path}/measures`, { name: 'Inside', expression });
    const measures = [{ measureId: inside.id }, { measureId: measure.id }];
    await posted(api, `${model.path}/rollups`, { name: 'All', dimensions: [], measures });
    for (const factor of [1, 3, -2]) {
      const question = { measures, parameters: { factor } };
      const { body } = await api.as('editor').post(`${model.path}/compile`, question);
      expect(body.plan, JSON.stringify(body)).toEqual([expect.stringMatching(/from the rollup "All"/)]);
      expect(await answer(question)).toEqual([[70 * factor, 70 * factor]]);
    }
  });
});
