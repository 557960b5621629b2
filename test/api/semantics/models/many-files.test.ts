import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import type { Reply } from '../../../support/conformance.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenModel, posted } from '../../../support/given/model.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';

const YAML = { 'content-type': 'application/yaml' };

const TABLES = `version: 1
name: Split
tables:
  - alias: orders
    sourceTable: orders
    fields:
      - name: amount
        fieldType: measure
        dataType: integer
`;
const MORE = `version: 1
tables:
  - alias: Orders
    fields:
      - name: region
        fieldType: dimension
        dataType: string
`;
const MEASURES = `version: 1
measures:
  - name: Revenue
    expression: SUM([orders.amount])
    dataType: integer
  - name: Orders
    expression: COUNT([orders.amount])
    dataType: integer
`;
const stream = (...files: string[]) => files.map((file) => `---\n${file}`).join('');

const placesOf = ({ body }: Reply) =>
  (body.errors as { pointer: string; code: string; position: { line: number; column: number } }[]).map(
    ({ pointer, code, position: { line, column } }) => `${line}:${column} ${pointer} ${code}`,
  );

async function given(api: Api) {
  await givenDataset(api, {
    name: 'orders',
    sql: `SELECT * FROM (VALUES ('eu', 10), ('us', 20), ('us', 12)) AS t(region, amount)`,
  });
  const { id, path } = await givenModel(api, { name: `Files ${crypto.randomUUID()}` });
  const put = (text: string) => api.as('editor').send('PUT', `${path}/file`, { text, headers: YAML });
  const validate = async (text?: string) => {
    const headers = text === undefined ? {} : { headers: YAML };
    const reply = await api
      .as('editor')
      .send('POST', `${path}/validate`, { ...(text !== undefined && { text }), ...headers });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body;
  };
  const file = async () => (await api.as('owner').get(`${path}/file`)).body as string;
  return { id, path, put, validate, file };
}

async function measureOf(api: Api, path: string, name: string): Promise<string> {
  const { body } = await api.as('editor').get(`${path}/measures`);
  return body.items.find((each: { name: string }) => each.name === name).id;
}

describe('a model in several files', () => {
  it('is the same as in one', async ({ api }) => {
    const { put, file } = await given(api);
    const reply = await put(stream(TABLES, MEASURES, MORE));
    expect(reply, JSON.stringify(reply.body)).toMatchObject({
      status: 200,
      body: { tables: { total: 1 }, fields: { total: 2 }, measures: { total: 2 } },
    });
    const whole = await file();
    expect((await put(stream(TABLES, MORE, MEASURES))).body.measures.total).toBe(0);
    expect((await put(whole)).body).toMatchObject({ model: [], fields: { total: 0 }, measures: { total: 0 } });
    // What no file has any more is removed.
    expect((await put(stream(TABLES, MEASURES))).body.fields.removed).toEqual(['orders.region']);
  });

  it('is refused with the place of each issue in the text', async ({ api }) => {
    const { put, file } = await given(api);
    const before = await file();
    const wrong = stream(
      TABLES,
      MEASURES.replace(
        '[orders.amount])\n    dataType: integer\n  - name: Orders',
        '[orders.amuont])\n    dataType: integer\n  - name: REVENUE',
      ),
    );
    expect(placesOf(await put(wrong))).toEqual(['15:5 /measures/0/expression 2001', '17:5 /measures/1/name DUPLICATE']);
    const twice = stream(
      TABLES,
      TABLES.replace('name: Split', 'name: Other').replace('- name: amount', '- name: amount'),
    );
    expect(placesOf(await put(twice))).toEqual(['13:1 /name CONFLICT']);
    const source = stream(TABLES, MORE.replace('alias: Orders', 'alias: orders\n    sourceTable: other'));
    expect(placesOf(await put(source))).toEqual(['15:5 /tables/0/sourceTable CONFLICT']);
    expect(placesOf(await put(MORE))).toEqual(['3:5 /tables/0 REQUIRED']);
    expect(placesOf(await put(stream(TABLES, 'version: 1\nmesures: []\n')))).toEqual(['13:1 /mesures UNKNOWN_MEMBER']);
    expect(await file()).toBe(before);
  });

  it('extends another model, whose parts it replaces and adds to, but not its row-level security', async ({ api }) => {
    const base = await given(api);
    expect((await base.put(stream(TABLES.replace('name: Split\n', ''), MORE, MEASURES))).status).toBe(200);
    const { body } = await api.as('owner').get(`${base.path}/tables`);
    await givenPolicy(api, base.path, { tableId: body.items[0].id });
    const { name } = (await api.as('editor').get(base.path)).body;

    const { id, path } = await givenModel(api, { name: `Extending ${crypto.randomUUID()}` });
    const put = (text: string) => api.as('editor').send('PUT', `${path}/file`, { text, headers: YAML });
    const own = `version: 1
extends: ${name}
tables:
  - alias: orders
    description: Ours
measures:
  - name: revenue
    expression: SUM([orders.amount]) * 2
    dataType: integer
  - name: Mean
    expression: "{revenue} / {Orders}"
    dataType: number
`;
    const reply = await put(own);
    expect(reply, JSON.stringify(reply.body)).toMatchObject({
      status: 200,
      body: { tables: { added: ['orders'] }, fields: { total: 2 }, policies: { total: 0 } },
    });
    expect(reply.body.measures.added.sort()).toEqual(['Mean', 'Orders', 'revenue']);
    expect((await put(own)).body.measures.total).toBe(0);
    const measures = await Promise.all(
      ['revenue', 'Mean'].map(async (each) => ({ measureId: await measureOf(api, path, each) })),
    );
    const ask = async (caller = api.as('owner')) => (await caller.post(`/api/models/${id}/query`, { measures })).body;
    // A policy of the extended model holds for rows of its table wherever they are read.
    const { caller } = await givenReader(api, { role: 'viewer', attributes: { region: 'us' } });
    const { rows } = await ask(caller);
    expect(rows[0].map(Number)).toEqual([64, 32]);

    const unknown = await put(own.replace(name, 'Nothing'));
    expect([unknown.status, ...placesOf(unknown)]).toEqual([400, '2:1 /extends UNKNOWN']);
    const itself = (await api.as('editor').get(path)).body.name;
    expect(placesOf(await put(own.replace(name, itself)))).toEqual(['2:1 /extends UNKNOWN']);
    const wrong = await put(own.replace('[orders.amount]) * 2', '[orders.gone])'));
    expect([wrong.status, placesOf(wrong)[0]]).toEqual([400, '8:5 /measures/1/expression 2001']);
    expect((await api.as('stranger').send('PUT', `${path}/file`, { text: own, headers: YAML })).status).toBe(404);
  });
});

describe('the validation of a model', () => {
  it('says what does not compile, what is ambiguous and what nothing uses, and changes nothing', async ({ api }) => {
    const { id, path, put, validate, file } = await given(api);
    await givenDataset(api, { name: 'regions', sql: `SELECT 'eu' AS code, 'us' AS other` });
    const REGIONS = `version: 1
tables:
  - alias: regions
    sourceTable: regions
    fields:
      - name: code
        fieldType: dimension
        dataType: string
      - name: other
        fieldType: dimension
        dataType: string
relationships:
  - from: regions.code
    to: orders.region
`;
    const MEAN = `version: 1
measures:
  - name: Mean
    expression: "{Revenue} / {Orders}"
    dataType: number
`;
    expect((await put(stream(TABLES, MORE, MEASURES, REGIONS))).status).toBe(200);
    expect(await validate()).toEqual({
      ok: true,
      errors: [],
      issues: [],
      ambiguous: [],
      assertions: [],
      unused: { fields: ['orders.amount', 'regions.other'], measures: ['Orders', 'Revenue'] },
    });
    const query = { source: { kind: 'model', id }, measures: [{ measureId: await measureOf(api, path, 'Revenue') }] };
    await givenCards(api, [card('revenue', chart(query))]);
    expect((await validate()).unused).toEqual({ fields: ['regions.other'], measures: ['Orders'] });
    // What a part that is used needs is used too.
    const again = `${REGIONS}  - from: regions.other\n    to: orders.region\n`;
    const before = await file();
    const found = await validate(stream(TABLES, MORE, MEASURES, MEAN, again));
    expect(found).toMatchObject({ ok: true, unused: { fields: [], measures: ['Mean', 'Orders'] } });
    expect(found.ambiguous).toMatchObject([{ from: 'orders', to: 'regions' }]);
    expect(found.ambiguous[0].paths.flat().sort()).toEqual([
      'orders.region = regions.code',
      'orders.region = regions.other',
    ]);
    const broken = await validate(stream(TABLES, MORE, MEASURES.replaceAll('amount', 'amuont')));
    expect(broken).toMatchObject({ ok: false, issues: [], errors: [{ pointer: '/measures/0/expression' }, {}] });
    expect(broken.errors[0].position.line).toBe(23);
    expect(await file()).toBe(before);

    const assertion = {
      name: `Amounts ${crypto.randomUUID()}`,
      testType: 'not_null',
      targetType: 'source_table',
      tableName: 'orders',
      columnName: 'amount',
    };
    const test = await posted(api, '/api/data-quality/tests', assertion);
    const assertions = [{ testId: test.id, name: assertion.name, table: 'orders', status: 'not_run' }];
    expect(await validate()).toMatchObject({ ok: true, assertions });

    await givenDataset(api, { name: 'orders', sql: `SELECT 'eu' AS region` });
    await api.as('editor').post(`${path}/resync`, {});
    const stale = await validate();
    expect(stale.ok).toBe(false);
    expect(
      stale.issues.map(({ code, part }: { code: string; part: { name: string } }) => `${code} ${part.name}`),
    ).toContain('COLUMN_MISSING amount');
    expect((await api.as('viewer').post(`${path}/validate`, {})).status).toBe(403);
    expect((await api.as('stranger').post(`${path}/validate`, {})).status).toBe(404);
  });
});
