import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import type { Reply } from '../../../support/conformance.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenSales, issuesOf, posted } from '../../../support/given/model.ts';
import { call } from '../../../support/http.ts';

type Actor = 'owner' | 'editor' | 'viewer' | 'stranger';

const YAML = 'application/yaml';

const exported = async (api: Api, path: string, actor: Actor = 'owner'): Promise<string> => {
  const reply = await api.as(actor).get(`${path}/file`);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, YAML]);
  return reply.body;
};

interface Options {
  actor?: Actor;
  dryRun?: boolean;
  headers?: Record<string, string>;
}

/** As `curl --data-binary` sends a file. */
const imported = (
  api: Api,
  path: string,
  text: string,
  { actor = 'editor', dryRun, headers }: Options = {},
): Promise<Reply> =>
  api.as(actor).send('PUT', `${path}/file${dryRun ? '?dryRun=true' : ''}`, {
    text,
    headers: { 'content-type': YAML, ...headers },
  });

const placesOf = (reply: Reply) =>
  (reply.body.errors as { pointer: string; code: string; position: { line: number; column: number } }[]).map(
    ({ pointer, code, position: { line, column } }) => `${line}:${column} ${pointer} ${code}`,
  );

const KINDS = [
  'tables',
  'fields',
  'transforms',
  'relationships',
  'hierarchies',
  'measures',
  'rollups',
  'policies',
] as const;

/** The changes of a report without the kinds that have none. */
const changesOf = ({ body }: Reply) =>
  Object.fromEntries(
    KINDS.flatMap((kind) => {
      const { total, ...lists } = body[kind];
      const kept = Object.entries(lists).filter(([, list]) => (list as unknown[]).length > 0);
      return total === 0 ? [] : [[kind, Object.fromEntries(kept)]];
    }),
  );

/** Every kind of part, with members that are not the default, and names that need quotes. */
async function givenRichModel(api: Api) {
  await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id, 2.50 AS amount, \'x\' AS "no: #1", 3 AS customer' });
  const { path, customers, orders, ends, region, key, amount } = await givenSales(api);
  await api.as('editor').put(orders.path, { alias: 'or.ders "new"', description: 'Orders\nof the shop: yes' });
  await givenField(api, orders.path, 'net: amount', {
    fieldType: 'calculated',
    dataType: 'decimal',
    expression: '[amount] *\n  0.8',
    format: '0.00',
  });
  await api.as('editor').put(`${orders.path}/fields/${amount}`, {
    isMetric: true,
    sortByField: ends.toFieldId,
    sensitivityLabel: 'secret',
  });
  const config = { conditions: [{ column: 'amount', op: 'between', value: [1, 5] }], match: 'any' };
  expect((await api.as('editor').post(`${orders.path}/transforms`, { type: 'filter_rows', config })).status).toBe(200);
  await posted(api, `${path}/relationships`, { ...ends, joinType: 'inner' });
  const levels = [{ fieldId: region, label: 'Where' }, { fieldId: key }];
  await posted(api, `${path}/hierarchies`, { name: 'Places', tableId: customers.id, levels });
  const format = { kind: 'currency', decimals: 2, currency: 'EUR' };
  const revenue = await posted(api, `${path}/measures`, {
    name: 'Revenue',
    expression: 'SUM(["or.ders ""new""".amount])',
    format,
  });
  await posted(api, `${path}/measures`, { name: 'Half', expression: '{Revenue} / 2', folder: 'More', isHidden: true });
  const measures = [{ measureId: revenue.id }, { fieldId: amount, aggregation: 'max' }];
  await posted(api, `${path}/rollups`, { name: 'By customer', dimensions: [{ fieldId: key }], measures });
  const policy = {
    name: 'Own region',
    tableId: customers.id,
    filterExpression: '[region] IN user.attr("region")',
    appliesTo: [{ type: 'role', id: 'viewer' }, { type: 'everyone' }],
  };
  expect((await api.as('owner').post(`${path}/rls`, policy)).status).toBe(201);
  return { path, orders, customers };
}

describe('a model as a file', () => {
  it('is the same in every export, and makes the same model of another one', async ({ api }) => {
    const { path } = await givenRichModel(api);
    const file = await exported(api, path);
    expect(file).toMatchSnapshot();
    const copy = await givenModel(api, { name: 'Copy' });
    const ofCopy = file.replace('name: Sales', 'name: Sales again');
    const report = await imported(api, copy.path, ofCopy, { actor: 'owner' });
    expect(report.status, JSON.stringify(report.body)).toBe(200);
    expect(report.body).toMatchObject({ dryRun: false, model: ['name'], tables: { total: 2 }, policies: { total: 1 } });
    expect(await exported(api, copy.path)).toBe(ofCopy);
    expect(await imported(api, copy.path, file)).toMatchObject({ status: 409, body: { code: 'MODEL_NAME_TAKEN' } });
  });

  it('that is imported again changes nothing, also by an editor and as JSON', async ({ api }) => {
    const { path } = await givenRichModel(api);
    const before = await api.as('owner').get(`${path}/file`);
    const again = await imported(api, path, before.body);
    expect([again.status, changesOf(again), again.body.model]).toEqual([200, {}, []]);
    const asJson = await api.as('editor').put(`${path}/file`, { yaml: before.body.replaceAll('\n', '\r\n') });
    expect([asJson.status, changesOf(asJson)]).toEqual([200, {}]);
    const after = await api.as('owner').get(`${path}/file`);
    expect([after.body, after.headers.get('etag')]).toEqual([before.body, before.headers.get('etag')]);
    const headers = { 'if-none-match': before.headers.get('etag')! };
    const unchanged = await call(api.endpoint, 'GET', `${path}/file`, { token: await api.token('owner'), headers });
    expect(unchanged.status).toBe(304);
  });

  it('adds, changes and removes parts by name, which keep their ids; a dry run only lists them', async ({ api }) => {
    const { path, orders, customers } = await givenRichModel(api);
    const parts = async () => {
      const [tables, measures] = await Promise.all([
        api.as('viewer').get(`${path}/tables?includeFields=true`),
        api.as('viewer').get(`${path}/measures`),
      ]);
      return { tables: tables.body.items, measures: measures.body.items } as Record<string, Record<string, string>[]>;
    };
    const before = await parts();
    const file = (await exported(api, path))
      .replaceAll('or.ders ""new""', 'sales')
      .replaceAll('or.ders "new"', 'sales')
      .replaceAll('["sales".', '[sales.')
      .replace('"or.ders ""new""".customer', 'sales.customer')
      .replaceAll('"sales".customer', 'sales.customer')
      .replace('label: Where', 'label: Region')
      .replace('{Revenue} / 2', '{Revenue} / 4')
      .replace('      - name: region\n', '      - name: area\n        sourceColumn: region\n')
      .replaceAll('customers.region', 'customers.area')
      .replaceAll('[region]', '[area]')
      .replace('measures:\n', 'measures:\n  - name: Orders\n    expression: COUNT([sales.amount])\n');
    const dry = await imported(api, path, file, { actor: 'owner', dryRun: true });
    expect(dry.status, JSON.stringify(dry.body)).toBe(200);
    expect(changesOf(dry)).toEqual({
      tables: { changed: [{ name: 'sales', members: ['alias'] }] },
      fields: { changed: [{ name: 'customers.area', members: ['name', 'sourceColumn'] }] },
      hierarchies: { changed: [{ name: 'Places', members: ['levels'] }] },
      measures: {
        added: ['Orders'],
        changed: [
          { name: 'Half', members: ['expression'] },
          { name: 'Revenue', members: ['expression'] },
        ],
      },
      policies: { changed: [{ name: 'Own region', members: ['filterExpression'] }] },
    });
    expect(await parts()).toEqual(before);
    const done = await imported(api, path, file, { actor: 'owner' });
    expect([done.body.dryRun, changesOf(done)]).toEqual([false, changesOf(dry)]);
    const after = await parts();
    expect(after.tables!.map(({ id, alias }) => [id, alias])).toEqual([
      [customers.id, 'customers'],
      [orders.id, 'sales'],
    ]);
    const idOf = ({ measures }: Awaited<ReturnType<typeof parts>>) => measures!.find(({ name }) => name === 'Half')!.id;
    expect(idOf(after)).toBe(idOf(before));
    const less = 'version: 1\nname: Sales\n';
    const kept = await imported(api, path, less, { actor: 'owner' });
    expect(kept).toMatchObject({ status: 409, body: { code: 'MODEL_TABLE_PROTECTED' } });
    const removed = await imported(api, path, `${less}policies: []\n`, { actor: 'owner' });
    expect(changesOf(removed)).toMatchObject({
      tables: { removed: ['customers', 'sales'] },
      measures: { removed: ['Half', 'Orders', 'Revenue'] },
      policies: { removed: ['Own region'] },
    });
    expect(await exported(api, path)).toBe(less);
  });

  it('reports each issue with its line and column, and the nearest known name', async ({ api }) => {
    const { path } = await givenModel(api);
    const lines = [
      'version: 1',
      'tables:',
      '  - alias: orders',
      '    sourceTable: orders',
      '    descripton: x',
      '    fields:',
      '      - name: amount',
      '        fieldType: measure',
      '        dataType: decimal',
      'measures:',
      '  - name: Revenue',
      '    expression: SUM([orders.amuont])',
      '  - name: revenue',
      '    expression: "1"',
      'relationships:',
      '  - from: orders.amont',
      '    to: customers',
      'hierarchies:',
      '  - name: Places',
      '    table: oders',
      '    levels: [{ field: orders.amount }, { field: orders.amount }]',
    ];
    const shape = await imported(api, path, lines.join('\n'));
    expect(shape).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(placesOf(shape)).toEqual(['5:5 /tables/0/descripton UNKNOWN_MEMBER']);
    expect(JSON.stringify(shape.body.errors)).toMatch(/did you mean \\"description\\"/);
    const meaning = await imported(api, path, lines.filter((line) => !line.includes('descripton')).join('\n'));
    expect(placesOf(meaning)).toEqual([
      '11:5 /measures/0/expression 2001',
      '12:5 /measures/1/name DUPLICATE',
      '15:5 /relationships/0/from UNKNOWN_FIELD',
      '16:5 /relationships/0/to FORMAT',
      '19:5 /hierarchies/0/table UNKNOWN_TABLE',
      '20:42 /hierarchies/0/levels/1/field DUPLICATE',
    ]);
    expect(JSON.stringify(meaning.body.errors)).toMatch(/did you mean \\"orders.amount\\"/);
    expect((await api.as('viewer').get(path)).body.tableCount).toBe(0);
  });

  it('obeys the rules of each part', async ({ api }) => {
    const { path } = await givenModel(api);
    const field = (name: string, more = 'fieldType: dimension, dataType: string') => `{ name: ${name}, ${more} }`;
    const table = (alias: string, fields: string[], more = '') =>
      `  - { alias: ${alias}, sourceTable: ${alias}, fields: [${fields.join(', ')}]${more} }\n`;
    const file = (tables: string, rest = '') => `version: 1\ntables:\n${tables}${rest}`;
    const calculated = (expression: string) => `fieldType: calculated, dataType: integer, expression: "${expression}"`;
    const cases: [string, string[]][] = [
      [file(table('a', [field('x', calculated('[y]')), field('y', calculated('[x]'))])), ['4001', '4001']],
      [file(table('a', [field('x', 'fieldType: calculated, dataType: integer')])), ['REQUIRED']],
      [file(table('a', [field('x', 'fieldType: measure, dataType: string, aggregation: sum')])), ['WRONG_TYPE']],
      [file(table('a', [field('x'), field('X')])), ['DUPLICATE']],
      [file(table('a', [field('x', 'fieldType: dimension, dataType: string, sortByField: x')])), ['CYCLE']],
      [file(table('a', []) + table('A', [])), ['DUPLICATE']],
      [file(table('a', [field('x')]), 'relationships: [{ from: a.x, to: a.x }]'), ['SAME_TABLE']],
      [
        file(
          table('a', [field('x')]) + table('b', [field('y')]),
          'relationships: [{ from: a.x, to: b.y }, { from: b.y, to: a.x }]',
        ),
        ['DUPLICATE'],
      ],
      [file(table('a', [], ', transforms: [{ type: top_n, config: { n: 0 } }]')), ['MINIMUM', 'REQUIRED']],
      [
        file('', 'measures: [{ name: A, expression: "{B}" }, { name: B, expression: "{A}" }]').replace('tables:\n', ''),
        ['4001', '4001'],
      ],
      ['version: 2', ['CONST']],
      ['[]', ['TYPE']],
    ];
    for (const [text, codes] of cases) {
      const reply = await imported(api, path, text, { actor: 'owner' });
      const found = issuesOf(reply).map((issue) => issue.split(' ')[1]);
      expect([reply.status, found.sort()], `${text} ${JSON.stringify(reply.body)}`).toEqual([400, codes]);
    }
  });
});

describe('hostile files', () => {
  it('are rejected in little time', async ({ api }) => {
    const { path } = await givenModel(api);
    const bomb = [...'abcdefghi'].map((name, index, all) => {
      const inner = index === 0 ? 'x' : `*${all[index - 1]}`;
      return `${name}: &${name} [${Array.from({ length: 9 }, () => inner).join(', ')}]`;
    });
    const cases: [string, string][] = [
      ['an alias bomb', bomb.join('\n')],
      ['a tag', 'version: !!js/function "function () {}"'],
      ['nesting', '['.repeat(1_000_000)],
      ['compact nesting', '- '.repeat(1_000_000)],
      ['a repeated name', 'version: 1\nversion: 1'],
      ['a prototype', '__proto__: { polluted: true }'],
      ['half a character', 'version: 1\nname: "\\uD800"'],
      ['two documents of the same', 'version: 1\nname: x\n---\nversion: 1\nname: x'],
      ['many documents', 'version: 1\n---\n'.repeat(20_000)],
      ['no document', '# nothing'],
      ['commas', `[${','.repeat(1_000_000)}]`],
      ['a merge', 'version: 1\n<<: { name: x }'],
    ];
    for (const [what, text] of cases) {
      const started = performance.now();
      const reply = await imported(api, path, text);
      expect(reply, what).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      // Reading a bomb to its end would take hours.
      expect(performance.now() - started, what).toBeLessThan(30_000);
      expect(reply.body.errors[0].position.line, what).toBeGreaterThan(0);
    }
    expect(await imported(api, path, `name: ${'x'.repeat(4 * 1024 * 1024)}`)).toMatchObject({
      status: 413,
      body: { code: 'BODY_TOO_LARGE' },
    });
    const asText = await imported(api, path, 'version: 1', { headers: { 'content-type': 'text/plain' } });
    expect(asText).toMatchObject({ status: 415, body: { detail: expect.stringContaining('application/yaml') } });
  });

  it('of the largest size are imported as a whole', async ({ api }) => {
    const { path } = await givenModel(api);
    const fields = (count: number) =>
      Array.from(
        { length: count },
        (_, index) => `      - name: column_${index}\n        fieldType: dimension\n        dataType: integer\n`,
      ).join('');
    const file = (tables: number, columns: number) =>
      `version: 1\nname: Sales\ntables:\n${Array.from(
        { length: tables },
        (_, index) =>
          `  - alias: table_${String(index).padStart(3, '0')}\n    sourceTable: t${index}\n    fields:\n${fields(columns)}`,
      ).join('')}`;
    const started = performance.now();
    const made = await imported(api, path, file(500, 20));
    const took = { import: Math.round(performance.now() - started), export: 0, again: 0 };
    expect(made.body).toMatchObject({ tables: { total: 500 }, fields: { total: 10_000 } });
    expect(made.body.fields.added).toHaveLength(1000);
    const exportStarted = performance.now();
    expect(await exported(api, path)).toBe(file(500, 20));
    took.export = Math.round(performance.now() - exportStarted);
    const againStarted = performance.now();
    expect(changesOf(await imported(api, path, file(500, 20)))).toEqual({});
    took.again = Math.round(performance.now() - againStarted);
    expect(await imported(api, path, file(500, 21))).toMatchObject({ status: 409, body: { code: 'MODEL_TOO_LARGE' } });
    console.log(`a file of 500 tables and 10,000 fields, in ms: ${JSON.stringify(took)}`);
    const wide = file(400, 20).replaceAll(
      'dataType: integer\n',
      `dataType: integer\n        description: ${'x'.repeat(600)}\n`,
    );
    const half = wide.slice(0, wide.indexOf('  - alias: table_200'));
    expect((await imported(api, path, half)).status).toBe(200);
  });
});

describe('the import of a file', () => {
  it('fails if the model has changed since the export', async ({ api }) => {
    const { path, orders } = await givenSales(api);
    const read = await api.as('editor').get(`${path}/file`);
    const headers = { 'if-match': read.headers.get('etag')! };
    await api.as('editor').put(orders.path, { description: 'by another editor' });
    for (const dryRun of [true, false])
      expect(await imported(api, path, read.body, { headers, dryRun })).toMatchObject({
        status: 412,
        body: { code: 'PRECONDITION_FAILED' },
      });
    expect(await exported(api, path)).toContain('by another editor');
    const newest = (await api.as('editor').get(`${path}/file`)).headers.get('etag')!;
    const done = await imported(api, path, read.body, { headers: { 'if-match': newest } });
    expect(changesOf(done)).toEqual({ tables: { changed: [{ name: 'orders', members: ['description'] }] } });
  });

  it('is one of several edits at once, none of which is lost', async ({ api }) => {
    const { path, orders } = await givenSales(api);
    const file = await exported(api, path);
    const replies = await Promise.all([
      imported(
        api,
        path,
        file.replace('sourceTable: customers', 'sourceTable: customers\n    description: From a file'),
      ),
      ...['a', 'b', 'c'].map((name) =>
        api.as('owner').post(`${path}/rls`, {
          name,
          tableId: orders.id,
          filterExpression: 'TRUE',
          appliesTo: [{ type: 'everyone' }],
        }),
      ),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 201, 201, 201]);
    expect((await api.as('owner').get(`${path}/rls`)).body.total).toBe(3);
    expect(await exported(api, path)).toContain('From a file');
  });

  it('leaves row-level security to admins', async ({ api }) => {
    const { path } = await givenRichModel(api);
    const file = await exported(api, path);
    const forbidden = { status: 403, body: { code: 'FORBIDDEN' } };
    for (const other of [
      file.replace('[region] IN', '[region] = "x" OR [region] IN'),
      file.replace('id: viewer', 'id: editor'),
      `${file.slice(0, file.indexOf('policies:'))}policies: []\n`,
    ]) {
      expect(await imported(api, path, other)).toMatchObject(forbidden);
      expect(await imported(api, path, other, { dryRun: true })).toMatchObject(forbidden);
    }
    const without = file.slice(0, file.indexOf('policies:'));
    for (const actor of ['viewer', 'editor'] as const) expect(await exported(api, path, actor)).toBe(without);
    expect(changesOf(await imported(api, path, without))).toEqual({});
    const moved = file.replace('sourceTable: customers', 'sourceTable: other');
    const blind = without.replace(/ {6}- name: region\n(?: {8}.*\n)*/, '').replace(/hierarchies:\n(?: .*\n)*/, '');
    for (const text of [moved, blind])
      for (const actor of ['editor', 'owner'] as const)
        expect(await imported(api, path, text, { actor }), text).toMatchObject({
          status: 409,
          body: { code: 'MODEL_TABLE_PROTECTED', referencedBy: [{ name: 'Own region' }] },
        });
    expect(await exported(api, path)).toBe(file);
  });

  it('keeps what is stale already, and rejects what it would make stale', async ({ api }) => {
    const { path, orders, amount } = await givenSales(api);
    await posted(api, `${path}/measures`, { name: 'Revenue', expression: 'SUM([orders.amount])' });
    const valid = await exported(api, path);
    const broken = valid.replace(/ {6}- name: amount\n(?: {8}.*\n)*/, '');
    expect(issuesOf(await imported(api, path, broken))).toEqual(['/measures/0/expression 2001']);
    await api.as('editor').delete(`${orders.path}/fields/${amount}`);
    const stale = await exported(api, path);
    expect(stale).toContain('SUM([orders.amount])');
    const again = await imported(api, path, stale);
    expect([again.status, changesOf(again)]).toEqual([200, {}]);
    expect((await imported(api, path, valid)).status).toBe(200);
    expect((await api.as('viewer').get(path)).body.staleMeasures).toBe(0);
  });

  it('leaves measures that metrics use', async ({ api }) => {
    const { definition, path } = await givenSalesModel(api);
    const metric = await givenMetric(api, definition);
    const file = await exported(api, path);
    const without = (name: string) => file.replace(new RegExp(` {2}- name: ${name}\\n(?: {4}.*\\n)*`), '');
    for (const dryRun of [true, false])
      expect(await imported(api, path, without('Revenue'), { dryRun })).toMatchObject({
        status: 409,
        body: { code: 'REFERENCED', referencedBy: [{ type: 'metric', id: metric.id, name: 'Revenue' }] },
      });
    expect(changesOf(await imported(api, path, without('Average sale')))).toEqual({
      measures: { removed: ['Average sale'] },
    });
  });
});
