import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, issuesOf, posted } from '../../../support/given/model.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';

interface Sale {
  region: string | null;
  city: string;
  month: number;
  customer: number;
  amount: number;
}

/** Sales with gaps, and customers who buy in several places and months. */
const SALES = Array.from({ length: 400 }, (_, n): Sale => {
  const region = ['eu', 'us', null, 'asia'][(n * 7) % 4]!;
  return { region, city: `City ${(n * 11) % 3}`, month: (n * n) % 5, customer: (n * 13) % 37, amount: (n * 17) % 101 };
});

/** The sales for both engines. */
const SALES_SQL = (() => {
  const rows = SALES.map(
    ({ region, city, month, customer, amount }) =>
      `(${region === null ? 'NULL' : `'${region}'`}, '${city}', '2026-0${month + 1}-15', ${customer}, ${amount})`,
  );
  return `SELECT region, city, placed::DATE AS placed, customer, amount FROM (VALUES ${rows.join(', ')}) AS t(region, city, placed, customer, amount)`;
})();

async function given(api: Api) {
  await givenDataset(api, { name: 'sales', sql: SALES_SQL });
  const model = await givenModel(api);
  return givenQuestion(api, model, await givenTable(api, model.path, 'sales'));
}

let server: TestDatabase;

beforeAll(async () => {
  server = await openDatabase();
  await server.run(`CREATE TABLE sales AS ${SALES_SQL}`);
});
afterAll(() => server.drop());

async function givenOnPostgres(api: Api) {
  const { host, port, database, user, password } = server;
  const config = { host, port, database, user, ssl: false };
  const source = { name: 'database', type: 'postgres', config, secrets: { password } };
  const { body } = await api.as('owner').post('/api/data-sources', source);
  const { id } = await posted(api, '/api/models', { name: 'Live', sourceId: body.id });
  const path = `/api/models/${id}`;
  const sales = { sourceSchema: 'public', sourceTable: 'sales', alias: 'sales' };
  const table = await posted(api, `${path}/tables`, sales);
  return givenQuestion(api, { path }, { id: table.id, path: `${path}/tables/${table.id}` });
}

async function givenQuestion(api: Api, model: { path: string }, table: { id: string; path: string }) {
  const field = (name: string, dataType = 'string') => givenField(api, table.path, name, { dataType });
  const fields = {
    region: await field('region'),
    city: await field('city'),
    placed: await field('placed', 'date'),
    customer: await field('customer', 'integer'),
    amount: await field('amount', 'integer'),
  };
  const question = {
    dimensions: [
      { fieldId: fields.region, label: 'Region' },
      { fieldId: fields.city, label: 'City' },
      { fieldId: fields.placed, grain: 'month', label: 'Month' },
    ],
    measures: [
      { fieldId: fields.customer, aggregation: 'count_distinct', label: 'Customers' },
      { expression: 'SUM([amount]) / COUNT(*)', label: 'Mean' },
    ],
    pivot: { columns: ['Month'] },
  };
  const ask = async (body: object, caller = api.as('viewer')) => caller.post(`${model.path}/query`, body);
  return { model, table, fields, question, ask };
}

const MONTHS = ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01'];

/** The measures of sales, which are null without any. */
function measured(sales: readonly Sale[]): (number | null)[] {
  if (sales.length === 0) return [null, null];
  const sum = sales.reduce((total, { amount }) => total + amount, 0);
  return [new Set(sales.map(({ customer }) => customer)).size, sum / sales.length];
}

/** The measures of each month that there is, and of all. */
const wideOf = (sales: readonly Sale[], months: readonly string[]) => [
  ...months.flatMap((month) => measured(sales.filter((sale) => MONTHS[sale.month] === month))),
  ...measured(sales),
];

const close = (row: readonly unknown[]) =>
  row.map((value) => (typeof value === 'number' ? Math.round(value * 1e9) / 1e9 : value));

/** Integers of some engines are texts. */
const plain = (value: unknown): unknown => (value === null ? null : Number(value));

describe('a pivoted question', () => {
  it('has groups of columns, with totals and subtotals that are right for distinct counts and ratios', async ({
    api,
  }) => {
    const { question, ask } = await given(api);
    const months = [...new Set(SALES.map(({ month }) => MONTHS[month]!))].sort();
    const { status, body } = await ask({ ...question, totals: 'all' });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.pivot).toMatchObject({
      columns: [{ name: 'Month', grain: 'month' }],
      groups: months.map((month) => [month]),
    });
    expect(
      body.columns.map(({ name, group, isTotal }: { name: string; group?: unknown[]; isTotal?: true }) => [
        name,
        group?.[0],
        isTotal,
      ]),
    ).toEqual([
      ['Region', undefined, undefined],
      ['City', undefined, undefined],
      ...months.flatMap((month) => [
        ['Customers', month, undefined],
        ['Mean', month, undefined],
      ]),
      ['Customers', undefined, true],
      ['Mean', undefined, true],
    ]);
    const regions = ['asia', 'eu', 'us', null];
    const cities = ['City 0', 'City 1', 'City 2'];
    const rows = regions.flatMap((region) =>
      cities.flatMap((city) => {
        const sales = SALES.filter((sale) => sale.region === region && sale.city === city);
        return sales.length === 0 ? [] : [[region, city, ...wideOf(sales, months)]];
      }),
    );
    expect(body.rows.map(close)).toEqual(rows.map(close));
    const totals = [
      { level: 0, row: [null, null, ...wideOf(SALES, months)] },
      ...regions.map((region) => {
        const sales = SALES.filter((sale) => sale.region === region);
        return { level: 1, row: [region, null, ...wideOf(sales, months)] };
      }),
    ];
    expect(
      body.totals.map(({ level, row }: { level: number; row: unknown[] }) => ({ level, row: close(row) })),
    ).toEqual(totals.map(({ level, row }) => ({ level, row: close(row) })));
  });

  it('sorts rows by their totals and groups by their values, and cuts rows', async ({ api }) => {
    const { question, ask } = await given(api);
    const top = {
      ...question,
      dimensions: question.dimensions.slice(1),
      measures: [question.measures[0]],
      sort: [
        { column: 'Customers', direction: 'desc' },
        { column: 'Month', direction: 'desc' },
      ],
      limit: 2,
    };
    const { body } = await ask(top);
    const months = [...new Set(SALES.map(({ month }) => MONTHS[month]!))].sort().reverse();
    expect(body.pivot.groups).toEqual(months.map((month) => [month]));
    expect(body).toMatchObject({ rowCount: 2, truncated: true, totals: [] });
    const cities = ['City 0', 'City 1', 'City 2']
      .map((city) => ({ city, sales: SALES.filter((sale) => sale.city === city) }))
      .sort((one, other) => measured(other.sales)[0]! - measured(one.sales)[0]! || (one.city < other.city ? -1 : 1));
    const expected = cities
      .slice(0, 2)
      .map(({ city, sales }) => [
        city,
        ...months.map((month) => measured(sales.filter((sale) => MONTHS[sale.month] === month))[0]),
      ]);
    expect(body.rows).toEqual(expected);

    const whole = await ask({ ...question, dimensions: question.dimensions.slice(2), totals: 'grand' });
    expect(whole.body.rows.map(close)).toEqual([close(wideOf(SALES, months.toReversed()))]);
  });

  it('compares groups with all of them, however many rows it shows and in whatever order', async ({ api }) => {
    const { question, ask } = await given(api);
    const [region, , month] = question.dimensions;
    const compared = {
      ...question,
      dimensions: [month, region],
      measures: [
        { expression: 'SHARE(COUNT(*))', label: 'Share' },
        { expression: 'RANK(COUNT(*))', label: 'Place' },
        { expression: 'SHARE_OF_PARENT(COUNT(*))', label: 'Of month' },
      ],
    };
    const { pivot: _, ...long } = compared;
    const cells = new Map<string, unknown[]>(
      (await ask(long)).body.rows.map(([month, region, ...values]: unknown[]) => [`${month} ${region}`, values]),
    );
    const { body } = await ask({ ...compared, limit: 2 });
    expect(body).toMatchObject({ rowCount: 2, truncated: true });
    for (const [region, ...values] of body.rows)
      expect(close(values)).toEqual(
        close(body.pivot.groups.flatMap(([month]: unknown[]) => cells.get(`${month} ${region}`) ?? [null, null, null])),
      );
  });

  it('has values of other periods in its cells, and in totals that have a time', async ({ api }) => {
    const { question, ask } = await given(api);
    const [region, , month] = question.dimensions;
    const measures = [
      { expression: 'SUM([amount])', label: 'Amount' },
      { expression: `PRIOR(SUM([amount]), 'month')`, label: 'Before' },
      { expression: `TRAILING(COUNT_DISTINCT([customer]), 'month', 2)`, label: 'Customers' },
      { expression: 'CUMULATIVE(SUM([amount]))', label: 'To date' },
    ];
    const long = async (dimensions: object[]) => {
      const reply = await ask({ dimensions, measures });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return new Map<string, unknown[]>(
        reply.body.rows.map((row: unknown[]) => [
          JSON.stringify(row.slice(0, dimensions.length)),
          row.slice(dimensions.length),
        ]),
      );
    };
    const cells = await long([region!, month!]);
    const ofMonths = await long([month!]);
    const sumOf = (sales: readonly Sale[]) => {
      const sum = sales.reduce((total, { amount }) => total + amount, 0);
      return [sum, null, null, sum];
    };
    const none = [null, null, null, null];
    // Without values of other periods, groups would be the same in any case.
    expect([...cells.values()].filter(([, before]) => before !== null).length).toBeGreaterThan(2);

    const wide = async (columns: string[]) => {
      const asked = { dimensions: [region, month], measures, pivot: { columns }, totals: 'grand' };
      const { status, body } = await ask(asked);
      expect(status, JSON.stringify(body)).toBe(200);
      const groups: unknown[] = body.pivot.groups.map(([group]: unknown[]) => group);
      return { groups, rows: body.rows as unknown[][], total: body.totals[0].row.slice(1) as unknown[] };
    };
    const byMonth = await wide(['Month']);
    for (const [name, ...values] of byMonth.rows) {
      const own = SALES.filter((sale) => sale.region === name);
      const inMonths = byMonth.groups.flatMap((each) => cells.get(JSON.stringify([name, each])) ?? none);
      expect(values.map(plain)).toEqual([...inMonths, ...sumOf(own)].map(plain));
    }
    const inMonths = byMonth.groups.flatMap((each) => ofMonths.get(JSON.stringify([each]))!);
    expect(byMonth.total.map(plain)).toEqual([...inMonths, ...sumOf(SALES)].map(plain));

    const byRegion = await wide(['Region']);
    for (const [name, ...values] of byRegion.rows) {
      const inRegions = byRegion.groups.flatMap((each) => cells.get(JSON.stringify([each, name])) ?? none);
      expect(values.map(plain)).toEqual([...inRegions, ...ofMonths.get(JSON.stringify([name]))!].map(plain));
    }
    const inRegions = byRegion.groups.flatMap((each) => sumOf(SALES.filter((sale) => sale.region === each)));
    expect(byRegion.total.map(plain)).toEqual([...inRegions, ...sumOf(SALES)].map(plain));

    const asked = { dimensions: [region, month], measures, pivot: { columns: ['Month'] } };
    const refused = await ask({
      ...asked,
      sort: [{ column: 'Month', direction: 'desc' }, { column: 'Before' }],
      resultFilters: [{ column: 'Customers', op: 'gt', values: [1] }],
    });
    expect(issuesOf(refused)).toEqual(['/sort/1/column CONFLICT', '/resultFilters/0/column CONFLICT']);
    const untimed = await ask({ ...asked, dimensions: [region, question.dimensions[1]], pivot: { columns: ['City'] } });
    expect(untimed.status).toBe(422);
    expect(issuesOf(untimed)).toContain(' 5005');
  });

  it('is refused where it would be wrong', async ({ api }) => {
    const { question, ask } = await given(api);
    const issues = async (more: object) => {
      const reply = await ask({ ...question, ...more });
      expect(reply.status).toBe(400);
      return issuesOf(reply);
    };
    expect(await issues({ pivot: { columns: ['Mnth'] } })).toEqual(['/pivot/columns/0 UNKNOWN_COLUMN']);
    expect(await issues({ resultFilters: [{ column: 'Month', op: 'not_null' }] })).toEqual([
      '/resultFilters/0/column CONFLICT',
    ]);
    expect(await issues({ measures: [] })).toEqual(['/measures REQUIRED']);
    const filled = question.dimensions.map((each) => (each.grain ? { ...each, fill: 'zero' } : each));
    expect(await issues({ dimensions: filled })).toEqual(['/dimensions/2/fill CONFLICT']);
    const few = await ask({ ...question, pivot: { columns: ['Month'], maxGroups: 2 } });
    expect(few).toMatchObject({ status: 422, body: { code: 'QUESTION_UNANSWERABLE' } });
  });

  it('shows each reader their own rows, in totals too', async ({ api }) => {
    const { model, table, question, ask } = await given(api);
    await givenPolicy(api, model.path, { tableId: table.id });
    const reader = await givenReader(api, { role: 'viewer', attributes: { region: 'eu' } });
    const { body } = await ask({ ...question, totals: 'grand' }, reader.caller);
    const own = SALES.filter(({ region }) => region === 'eu');
    const months = [...new Set(own.map(({ month }) => MONTHS[month]!))].sort();
    expect(close(body.totals[0].row)).toEqual(close([null, null, ...wideOf(own, months)]));
    expect(new Set(body.rows.map(([region]: unknown[]) => region))).toEqual(new Set(['eu']));
    expect((await ask(question, api.as('stranger'))).status).toBe(404);
  });
});

describe('a pivoted question to a model over Postgres', () => {
  it('has the answers that it has over datasets', async ({ api }) => {
    const [stored, live] = [await given(api), await givenOnPostgres(api)];
    const questions = ({ question, fields }: Awaited<ReturnType<typeof given>>) => [
      { ...question, totals: 'all' },
      { ...question, totals: 'grand', pivot: { columns: ['Month', 'City'] } },
      { ...question, totals: 'grand', pivot: { columns: ['Month', 'City', 'Region'] } },
      { ...question, totals: 'all', filters: [{ fieldId: fields.customer, op: 'lt', values: [5] }] },
      {
        ...question,
        pivot: { columns: ['Region'] },
        measures: [question.measures[1], { ...question.measures[0], hidden: true }],
        resultFilters: [{ column: 'Customers', op: 'gte', values: [20] }],
        sort: [
          { column: 'Region', direction: 'desc' },
          { column: 'Customers', direction: 'desc' },
          { column: 'City', direction: 'asc' },
          { column: 'Month', direction: 'asc' },
        ],
        limit: 4,
        totals: 'grand',
      },
    ];
    const ofStored = questions(stored);
    for (const [index, asked] of questions(live).entries()) {
      const [one, other] = [await stored.ask(ofStored[index]!), await live.ask(asked)];
      const shown = ({ status, body }: typeof one) => ({
        status,
        names: body.columns?.map(({ name, group, isTotal }: Record<string, unknown>) => ({ name, group, isTotal })),
        groups: body.pivot?.groups,
        rows: body.rows?.map(close),
        totals: body.totals?.map(({ level, row }: { level: number; row: unknown[] }) => ({ level, row: close(row) })),
        truncated: body.truncated,
      });
      expect(shown(one).status, JSON.stringify(one.body)).toBe(200);
      expect(shown(one).rows.length).toBeGreaterThan(0);
      expect(shown(other), JSON.stringify(other.body)).toEqual(shown(one));
    }
  });
});
