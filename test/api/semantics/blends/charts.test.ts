import { describe, expect } from 'vitest';
import type { Api } from '../../../support/api.ts';
import { it } from '../../../support/api.ts';
import { givenBlend, givenShopAndDesk } from '../../../support/given/blend.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { loseBlend } from '../../../support/given/lost.ts';
import { givenField, givenModel, givenTable, issuesOf, posted } from '../../../support/given/model.ts';
import { chartBlock, doc, givenStory } from '../../../support/given/stories.ts';

const bar = { mark: { type: 'bar' }, encoding: { x: { field: 'Customer' }, y: { field: 'Amount' } } };

async function givenShopBlend(api: Api) {
  const given = await givenShopAndDesk(api);
  const blend = await givenBlend(api, given.body);
  const { fields } = given;
  const query = {
    source: { kind: 'blend', id: blend.id },
    dimensions: [{ fieldId: fields.customer, label: 'Customer' }],
    measures: [
      { fieldId: fields.amount, aggregation: 'sum', label: 'Amount' },
      { fieldId: fields.minutes, aggregation: 'sum' },
      { fieldId: fields.number, aggregation: 'count', label: 'Cases' },
      { fieldId: fields.minutes, aggregation: 'avg', label: 'Average' },
    ],
  };
  return { ...given, blend, query };
}

const UNKNOWN = '01a2287c-0000-7000-8000-000000000000';

/** The reply to a request for the rows of a card with the query. */
async function answered(api: Api, query: object) {
  const { path } = await givenCards(api, [card('one', chart(query))]);
  return api.as('editor').post(`${path}/cards/one/data`, {});
}

describe('a chart of a blend', () => {
  it('counts each row of a side once in its group, whatever the other side has', async ({ api }) => {
    const { fields, query } = await givenShopBlend(api);
    const total = { ...query, dimensions: [] };
    const inner = { ...query, joinType: 'inner', sort: [{ column: 'Amount', direction: 'desc' }] };
    const byCase = { ...query, dimensions: [{ fieldId: fields.who }], joinType: 'full' };
    const many = { ...query, resultFilters: [{ column: 'Cases', op: 'gt', values: [1] }] };
    const { read } = await givenCards(api, [
      card('customers', chart(query, bar)),
      card('total', chart(total)),
      card('inner', chart(inner)),
      card('cases', chart(byCase)),
      card('many', chart(many)),
      card('first', chart({ ...inner, limit: 1 })),
    ]);
    expect(await read('customers')).toMatchObject({
      columns: [
        { name: 'Customer', role: 'dimension', type: 'string' },
        { name: 'Amount', role: 'measure', type: 'decimal' },
        { name: 'cases.Sum of minutes', role: 'measure', type: 'integer' },
        { name: 'Cases', role: 'measure', type: 'integer' },
        { name: 'Average', role: 'measure', type: 'number' },
      ],
      // Two orders of bob match two cases each: four pairs, whose amounts would sum to 51.
      rows: [
        ['ada', '10.00', '7', 1, 7],
        ['bob', '25.50', '7', 2, 3.5],
        ['eve', '2.00', null, 0, null],
        [null, '1.00', null, 0, null],
      ],
      truncated: false,
      warnings: [],
    });
    expect((await read('total')).rows).toEqual([['38.50', '14', 3, 14 / 3]]);
    expect((await read('inner')).rows).toEqual([
      ['bob', '25.50', '7', 2, 3.5],
      ['ada', '10.00', '7', 1, 7],
    ]);
    expect((await read('cases')).rows).toEqual([
      ['ada', '10.00', '7', 1, 7],
      ['bob', '25.50', '7', 2, 3.5],
      ['zoe', null, '1', 1, 1],
      [null, '3.00', '9', 1, 9],
    ]);
    expect((await read('many')).rows).toEqual([['bob', '25.50', '7', 2, 3.5]]);
    expect((await read('first')).rows).toEqual([['bob', '25.50', '7', 2, 3.5]]);
    expect((await read('customers')).cache).toBe('hit');
  });

  it('equals a computation row by row, for every join and shape of keys', async ({ api }) => {
    const rowsOf = (values: [string | null, string, number][]) =>
      values.map(([key, group, n]) => `(${key === null ? 'NULL' : `'${key}'`}, '${group}', ${n})`).join(', ');
    const left = rowsOf([
      ['a', 'x', 1],
      ['a', 'x', 2],
      ['a', 'y', 4],
      ['b', 'y', 8],
      ['B ', 'x', 16],
      ['c', 'x', 32],
      [null, 'z', 64],
    ]);
    const right = rowsOf([
      ['a', 'p', 1],
      ['a', 'q', 3],
      ['A', 'p', 9],
      ['b', 'q', 27],
      ['b', 'q', 81],
      ['d', 'r', 243],
      [null, 'p', 729],
    ]);
    const side = async (name: string, values: string) => {
      const sql = `SELECT k::VARCHAR AS k, g::VARCHAR AS g, n::BIGINT AS n, row_number() OVER () AS id FROM (VALUES ${values}) AS t(k, g, n)`;
      await givenDataset(api, { name, sql });
      const table = await givenTable(api, (await givenModel(api, { name })).path, name);
      const field = async (column: string, more: object = {}) => givenField(api, table.path, column, more);
      return {
        id: table.id,
        k: await field('k'),
        g: await field('g'),
        n: await field('n', { fieldType: 'measure', dataType: 'integer' }),
      };
    };
    const [l, r] = [await side('left_rows', left), await side('right_rows', right)];
    const { id } = await givenBlend(api, {
      name: 'shapes',
      ...{ leftTableId: l.id, leftAlias: 'l', rightTableId: r.id, rightAlias: 'r' },
      keys: [{ left: 'k', right: 'k', caseInsensitive: true, trim: true }],
    });
    const measures = [l, r].flatMap(({ n }) =>
      ['sum', 'count', 'min', 'max', 'avg'].map((aggregation) => ({ fieldId: n, aggregation })),
    );
    const groupings = [[], [l.g], [r.g], [l.g, r.g]];
    for (const joinType of ['left', 'inner', 'full'])
      for (const [index, dimensions] of groupings.entries()) {
        const query = { source: { kind: 'blend', id }, joinType, measures };
        const named = dimensions.map((fieldId) => ({ fieldId }));
        const { read } = await givenCards(api, [card('groups', chart({ ...query, dimensions: named }))]);
        // Of the joined rows, each row of a side counts once in its group.
        const groups = ['', 'l.g', 'r.g', 'l.g, r.g'][index]!;
        const joined = `SELECT l.g AS lg, r.g AS rg, l.id AS lid, l.n AS ln, r.id AS rid, r.n AS rn FROM left_rows AS l
          ${joinType} JOIN right_rows AS r ON lower(trim(l.k)) = lower(trim(r.k))`;
        const by = groups.replaceAll('.', '');
        const of = (one: 'l' | 'r') => `SELECT ${by ? `${by}, ` : ''}sum(n) AS ${one}1, count(n) AS ${one}2,
          min(n) AS ${one}3, max(n) AS ${one}4, avg(n) AS ${one}5 FROM (
          SELECT DISTINCT ${by ? `${by}, ` : ''}${one}id AS id, ${one}n AS n FROM joined) ${by ? `GROUP BY ${by}` : ''}`;
        const on = by
          ? by
              .split(', ')
              .map((name) => `a.${name} IS NOT DISTINCT FROM b.${name}`)
              .join(' AND ')
          : 'true';
        const sql = `WITH joined AS (${joined}) SELECT ${
          by
            ? `${by
                .split(', ')
                .map((name) => `a.${name}`)
                .join(', ')}, `
            : ''
        }
          l1, l2, l3, l4, l5, r1, r2, r3, r4, r5 FROM (${of('l')}) AS a JOIN (${of('r')}) AS b ON ${on}
          ORDER BY ${
            by
              ? by
                  .split(', ')
                  .map((name) => `a.${name} NULLS LAST`)
                  .join(', ')
              : '1'
          }`;
        const reference = await api.as('editor').post('/api/query', { sql });
        expect(reference.status, JSON.stringify(reference.body)).toBe(200);
        expect((await read('groups')).rows, `${joinType} ${groups}`).toEqual(reference.body.rows);
      }
  });

  it('refuses measures whose parts do not give the whole, and says why', async ({ api }) => {
    const { fields, shop, query } = await givenShopBlend(api);
    const save = (of: object) => answered(api, { ...query, ...of });
    const distinct = { fieldId: fields.id, aggregation: 'count_distinct', label: 'Orders' };
    const refused = await save({ dimensions: [{ fieldId: fields.who }], measures: [distinct] });
    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: 'BLEND_NOT_ADDITIVE',
        measure: 'Orders',
        why: expect.stringContaining('COUNT_DISTINCT'),
        remedy: expect.stringContaining('orders.customer'),
      },
    });
    expect(issuesOf(refused)).toEqual(['/chartSpec/query/measures/0 BLEND_NOT_ADDITIVE']);
    const share = await posted(api, `${shop.path}/measures`, {
      name: 'Share',
      expression: 'SHARE(SUM([orders.amount]))',
    });
    const compared = await save({ measures: [{ measureId: share.id }] });
    expect([compared.status, compared.body.code]).toEqual([422, 'BLEND_NOT_ADDITIVE']);
    // Ratios are computed from their parts, and a group with one value of the key has a single part.
    const ratio = await posted(api, `${shop.path}/measures`, {
      name: 'Average order',
      expression: 'SUM([orders.amount]) / COUNT([orders.id])',
    });
    const { read } = await givenCards(api, [
      card('ratio', chart({ ...query, dimensions: [{ fieldId: fields.who }], measures: [{ measureId: ratio.id }] })),
      card('whole', chart({ ...query, measures: [distinct, { fieldId: fields.minutes, aggregation: 'max' }] })),
    ]);
    expect((await read('ratio')).rows).toEqual([
      ['ada', expect.anything()],
      ['bob', expect.anything()],
      [null, expect.anything()],
    ]);
    expect((await read('ratio')).rows.map(([, value]: unknown[]) => Number(value))).toEqual([10, 12.75, 1.5]);
    expect((await read('whole')).rows).toEqual([
      ['ada', 1, 7],
      ['bob', 2, 4],
      ['eve', 1, null],
      [null, 1, null],
    ]);
  });

  it('rejects what it does not have, each with its place', async ({ api }) => {
    const { fields, query, shop } = await givenShopBlend(api);
    const issues = async (of: object) => {
      const reply = await answered(api, { ...query, ...of });
      expect(reply.status, JSON.stringify(reply.body)).toBe(400);
      return [reply.body.code, ...issuesOf(reply)];
    };
    expect(
      await issues({
        dimensions: [
          { fieldId: UNKNOWN },
          { expression: '[orders.id]', label: 'e' },
          { fieldId: fields.who, side: 'left' },
        ],
        measures: [{ measureId: UNKNOWN }],
        filters: [{ fieldId: UNKNOWN, op: 'not_null' }],
      }),
    ).toEqual([
      'CHART_SPEC_INVALID',
      '/chartSpec/query/dimensions/0/fieldId UNKNOWN_FIELD',
      '/chartSpec/query/dimensions/1/side REQUIRED',
      '/chartSpec/query/dimensions/2/fieldId UNKNOWN_FIELD',
      '/chartSpec/query/measures/0/measureId UNKNOWN_MEASURE',
      '/chartSpec/query/filters/0/fieldId UNKNOWN_FIELD',
    ]);
    expect(await issues({ sort: [{ column: 'customer' }], resultFilters: [{ column: 'x', op: 'not_null' }] })).toEqual([
      'CHART_SPEC_INVALID',
      '/chartSpec/query/resultFilters/0/column UNKNOWN_COLUMN',
      '/chartSpec/query/sort/0/column UNKNOWN_COLUMN',
    ]);
    expect(
      await issues({ dimensions: [{ fieldId: fields.placed, grain: 'month', fill: 'zero' }], params: {} }),
    ).toEqual([
      'CHART_SPEC_INVALID',
      '/chartSpec/query/params CONFLICT',
      '/chartSpec/query/dimensions/0/fill CONFLICT',
    ]);
    const twice = [
      { fieldId: fields.customer, label: 'A' },
      { fieldId: fields.who, label: 'A' },
    ];
    expect(await issues({ dimensions: twice, measures: [] })).toEqual([
      'CHART_SPEC_INVALID',
      '/chartSpec/query/dimensions/1/label CONFLICT',
    ]);
    const ofModel = {
      source: { kind: 'model', id: shop.id },
      joinType: 'inner',
      dimensions: [{ fieldId: fields.id, side: 'left' }],
    };
    expect(await issues({ ...ofModel, measures: [] })).toEqual([
      'CHART_SPEC_INVALID',
      '/chartSpec/query/joinType CONFLICT',
      '/chartSpec/query/dimensions/0/side CONFLICT',
    ]);
    const missing = await answered(api, { ...query, source: { kind: 'blend', id: UNKNOWN } });
    expect([missing.status, missing.body.code]).toEqual([404, 'BLEND_NOT_FOUND']);
  });

  it('shows the rows that its reader chooses, without those that have no match', async ({ api }) => {
    const { fields, query } = await givenShopBlend(api);
    const { path, read } = await givenCards(api, [card('customers', chart(query))]);
    const chosen = async (filters: object[]) =>
      (await read('customers', { filters })).rows.map(([who]: unknown[]) => who);
    expect(await chosen([{ fieldId: fields.number, op: 'lt', values: [102] }])).toEqual(['ada', 'bob']);
    expect(await chosen([{ fieldId: fields.amount, op: 'lt', values: [6] }])).toEqual(['bob', 'eve', null]);
    const filter = await posted(api, `${path}/filters`, { fieldId: fields.who, filterType: 'select' });
    expect(await chosen([{ filterId: filter.id, op: 'eq', values: ['bob'] }])).toEqual(['bob']);
    const values = await api.as('editor').post(`${path}/filters/${filter.id}/values`, {});
    expect(values).toMatchObject({ status: 200, body: { values: ['ada', 'bob'] } });
    const other = await read('customers', { filters: [{ fieldId: 'other', op: 'eq', values: ['x'] }] });
    expect(other.ignoredFilters).toEqual(['other']);
  });

  it('has the errors of cards in stories too', async ({ api }) => {
    const { fields, query, blend, orders } = await givenShopBlend(api);
    const distinct = { fieldId: fields.id, aggregation: 'count_distinct', label: 'Orders' };
    const parts = { ...query, dimensions: [{ fieldId: fields.who }], measures: [distinct] };
    const story = await givenStory(api, doc(chartBlock('customers', query), chartBlock('parts', parts)));
    const codeOf = async (block: string) => {
      const { status, body } = await api.as('editor').post(`${story.path}/blocks/${block}/data`, {});
      return [status, body.code];
    };
    expect(await codeOf('parts')).toEqual([422, 'BLEND_NOT_ADDITIVE']);
    const gone = await api.as('editor').delete(`${orders.path}/fields/${fields.customer}?force=true`);
    expect(gone.status, JSON.stringify(gone.body)).toBeLessThan(300);
    expect(await codeOf('customers')).toEqual([409, 'BLEND_STALE']);
    await loseBlend(api, blend.id);
    expect(await codeOf('customers')).toEqual([404, 'BLEND_NOT_FOUND']);
  });

  it('says what is wrong once the blend has changed, and keeps its blend from being deleted', async ({ api }) => {
    const { fields, query, blend, body, orders } = await givenShopBlend(api);
    const { id, path } = await givenCards(api, [card('customers', chart(query))]);
    const data = () => api.as('editor').post(`${path}/cards/customers/data`, {});
    expect((await data()).status).toBe(200);
    const used = await api.as('editor').delete(blend.path);
    expect(used).toMatchObject({
      status: 409,
      body: { code: 'REFERENCED', referencedBy: [{ type: 'dashboard', id }] },
    });
    const { usedBy } = (await api.as('editor').get(blend.path)).body;
    expect(usedBy).toEqual([expect.objectContaining({ type: 'dashboard', id })]);
    // A viewer does not see the draft of the dashboard, and so not its name.
    expect((await api.as('viewer').get(blend.path)).body.usedBy).toEqual([]);

    // The sides change their places: the fields are still those of the blend.
    const turned = {
      ...{
        ...body,
        leftTableId: body.rightTableId,
        leftAlias: 'cases',
        rightTableId: body.leftTableId,
        rightAlias: 'orders',
      },
      keys: [{ left: 'who', right: 'customer' }],
    };
    expect((await api.as('editor').put(blend.path, turned)).status).toBe(200);
    expect((await data()).body.rows).toHaveLength(3);
    // A side without the fields: an error of the card, at its place.
    const same = { ...body, rightTableId: body.leftTableId, rightAlias: 'other', keys: [{ left: 'id', right: 'id' }] };
    expect((await api.as('editor').put(blend.path, same)).status).toBe(200);
    const changed = await data();
    expect(changed).toMatchObject({ status: 400, body: { code: 'CHART_SPEC_INVALID' } });
    expect(issuesOf(changed)[0]).toContain('/chartSpec/query/measures/');
    expect((await api.as('editor').put(blend.path, body)).status).toBe(200);
    const gone = await api.as('editor').delete(`${orders.path}/fields/${fields.customer}?force=true`);
    expect(gone.status, JSON.stringify(gone.body)).toBeLessThan(300);
    const stale = await data();
    expect([stale.status, stale.body.code]).toEqual([409, 'BLEND_STALE']);

    const left = await api.as('editor').delete(`${path}/cards/customers`);
    expect(left.status).toBeLessThan(300);
    expect((await api.as('editor').get(blend.path)).body.usedBy).toEqual([]);
    expect((await api.as('editor').delete(blend.path)).status).toBe(200);
  });
});
