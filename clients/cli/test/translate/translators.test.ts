import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TRANSLATORS } from '../../src/translate/index.ts';
import { Report } from '../../src/translate/report.ts';
import type { Target } from '../../src/translate/translation.ts';
import { readTypes } from '../../src/translate/types.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

async function translated(tool: string, folder: string, target: Partial<Target> = {}) {
  const report = new Report();
  const whole = {
    source: 'datasets',
    schema: undefined,
    types: readTypes(undefined),
    name: undefined,
    database: undefined,
  };
  const definitions = await TRANSLATORS[tool]!(folder, { ...whole, ...target }, report);
  const notes = report.notes.map(({ kind, file, line, subject }) => `${kind} ${file}:${line} ${subject}`);
  return { definitions, notes, reasons: report.notes.map(({ reason }) => reason) };
}

function givenFiles(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-translate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

describe('what has no counterpart', () => {
  it('is listed with its place, for dbt', async () => {
    const types = readTypes(join(FIXTURES, 'dbt/target/catalog.json'));
    const { notes } = await translated('dbt', join(FIXTURES, 'dbt'), { types });
    const at = (line: number, subject: string) => `unmapped models/marts/orders.yml:${line} ${subject}`;
    expect(notes).toEqual([
      'unmapped models/marts/customers.yml:20 description of dimension customers.kind',
      at(32, 'test not_null of orders.status'),
      at(60, 'dimension orders.region'),
      at(63, 'dimension orders.channel'),
      at(73, 'measure orders.customers_with_orders'),
      at(84, 'measure orders.unused'),
      at(153, 'metric conversion'),
      at(160, 'saved query revenue_by_month'),
      'unmapped tests/no_negative_totals.sql:1 singular test',
    ]);
  });

  it('is listed with its place, for Lightdash', async () => {
    const at = (line: number, subject: string) => `unmapped models/orders.yml:${line} ${subject}`;
    const { notes } = await translated('lightdash', join(FIXTURES, 'lightdash'));
    expect(notes).toEqual([
      at(12, 'join of orders and stores'),
      at(24, 'explores of orders'),
      at(50, 'dimension orders.strange'),
      at(75, 'metric orders.recent_amount'),
      at(79, 'metric orders.distinct_amount'),
    ]);
  });

  it('is listed with its place, for Cube', async () => {
    const { notes } = await translated('cube', join(FIXTURES, 'cube'));
    const at = (line: number, subject: string) => `unmapped model/cubes/orders.yml:${line} ${subject}`;
    expect(notes).toEqual([
      'unmapped model/cubes/customers.yml:25 cube funnel',
      at(32, 'dimension orders.year'),
      at(35, 'dimension orders.place'),
      at(68, 'measure orders.total_last_year'),
      at(81, 'pre_aggregations orders.main'),
      'unmapped model/views/orders.yml:15 orders.year of view orders_view',
      'unmapped model/views/orders.yml:20 folders of view orders_view',
      'unmapped model/views/orders.yml:23 view by_place',
    ]);
  });

  it('is listed with its place, for Metabase', async () => {
    const { notes } = await translated('metabase', join(FIXTURES, 'metabase'));
    expect(notes).toEqual([
      'unmapped collections/main/sales/filtered.yaml:1 question Filtered orders',
      'check collections/main/sales/orders_by_status.yaml:1 question Orders by status',
      'unmapped collections/main/sales/overview.yaml:16 filter Month of dashboard Overview',
      'unmapped collections/main/sales/overview.yaml:20 filter Kind of dashboard Overview',
      'unmapped collections/main/sales/overview.yaml:51 filter Status of card 3 of dashboard Overview',
      'unmapped collections/main/sales/overview.yaml:51 filter Kind of card 3 of dashboard Overview',
      'unmapped collections/main/sales/overview.yaml:79 card 5 of dashboard Overview',
    ]);
  });

  it('takes along what needs it, and nothing else', async () => {
    const folder = givenFiles({
      'dbt_project.yml': 'name: shop\n',
      'models/a.yml': [
        'models: [{ name: t, columns: [{ name: id, data_type: int }, { name: n, data_type: int }] }]',
        'semantic_models:',
        '  - { name: t, model: ref("t"), entities: [{ name: t, type: primary, expr: id }], measures: [{ name: n, agg: sum }] }',
        'metrics:',
        '  - { name: a, type: ratio, type_params: { numerator: b, denominator: c } }',
        '  - { name: b, type: ratio, type_params: { numerator: a, denominator: c } }',
        '  - { name: c, type: simple, type_params: { measure: n } }',
        '  - { name: d, type: derived, type_params: { expr: "c + missing", metrics: [c] } }',
        '  - { name: c, type: simple, type_params: { measure: n } }',
      ].join('\n'),
    });
    const { definitions, notes } = await translated('dbt', folder);
    expect(definitions.map(({ kind, key }) => `${kind}/${key}`)).toEqual(['model/shop']);
    expect(definitions[0]!.members.measures).toEqual([{ name: 'c', expression: 'SUM([t.n])' }]);
    expect(notes).toEqual([
      'unmapped models/a.yml:5 metric a',
      'unmapped models/a.yml:6 metric b',
      'check models/a.yml:7 metric c',
      'unmapped models/a.yml:8 metric d',
      'unmapped models/a.yml:9 metric c',
    ]);
  });
});

describe('what Cube shows in a view', () => {
  it('is a model of its own: what it leaves out is hidden, or absent if nothing needs it', async () => {
    const { definitions } = await translated('cube', join(FIXTURES, 'cube'));
    expect(definitions.map(({ key }) => key)).toEqual(['cube', 'orders-view']);
    const [whole, view] = definitions.map(({ members }) => members as { tables: object[] });
    expect(whole!.tables[1]).toMatchObject({
      fields: expect.arrayContaining([
        {
          ...{ name: 'completed', fieldType: 'calculated', dataType: 'boolean' },
          expression: '[orders.status] = "completed"',
        },
      ]),
    });
    expect(view).toEqual({
      name: 'Orders and customers',
      description: 'What analysts ask',
      version: 1,
      tables: [
        {
          ...{ alias: 'customers', sourceTable: 'customers' },
          fields: [
            { name: 'id', sourceColumn: 'customer_id', fieldType: 'dimension', dataType: 'number', isHidden: true },
            { name: 'kind', fieldType: 'dimension', dataType: 'string', isHidden: true },
            { name: 'customers_city', sourceColumn: 'city', fieldType: 'dimension', dataType: 'string' },
            { name: 'customers_region', sourceColumn: 'region', fieldType: 'dimension', dataType: 'string' },
          ],
        },
        {
          ...{ alias: 'orders', sourceTable: 'orders', description: 'Orders of the shop' },
          fields: [
            { name: 'status', fieldType: 'dimension', dataType: 'string' },
            { name: 'day', sourceColumn: 'ordered_at', fieldType: 'dimension', dataType: 'datetime' },
            { name: 'amount', fieldType: 'dimension', dataType: 'number', isHidden: true },
            {
              ...{ name: 'completed', fieldType: 'calculated', dataType: 'boolean' },
              expression: '[orders.status] = "completed"',
            },
            { name: 'customer_id', fieldType: 'dimension', dataType: 'number', isHidden: true },
          ],
        },
      ],
      relationships: [{ from: 'customers.id', to: 'orders.customer_id' }],
      hierarchies: [
        { name: 'Places', levels: [{ field: 'customers.customers_region' }, { field: 'customers.customers_city' }] },
      ],
      measures: [
        { name: 'customers_count', expression: 'COUNT([customers.id])' },
        {
          ...{ name: 'Total amount', expression: 'SUM([orders.amount])' },
          format: { kind: 'currency', currency: 'USD' },
        },
        {
          name: 'completed_total',
          expression:
            'SUM([orders.amount]) FILTER (WHERE ([orders.status] = "completed") AND ([customers.kind] = "new"))',
          isHidden: true,
        },
        {
          ...{ name: 'Share of completed', format: { kind: 'percent' } },
          expression: '(1.0 * {completed_total}) / NULLIF({Total amount}, 0)',
        },
      ],
    });
  });

  const shop = (view: object) =>
    givenFiles({
      'a.yml': JSON.stringify({
        cubes: [
          {
            ...{
              name: 'a',
              sql_table: 'a',
              joins: [{ name: 'b', sql: '{CUBE}.b = {b.id}', relationship: 'many_to_one' }],
            },
            dimensions: [
              { name: 'n', sql: 'n', type: 'number' },
              { name: 'm', sql: 'm', type: 'number' },
              { name: 'inner', sql: 'i', type: 'number', public: false },
            ],
          },
          { name: 'b', sql_table: 'b', dimensions: [{ name: 'id', sql: 'id', type: 'number', primary_key: true }] },
        ],
        views: [{ name: 'v', ...view }],
      }),
    });

  it('has its names, and joins only what its paths join', async () => {
    const view = { cubes: [{ join_path: 'a', includes: [{ name: 'n', alias: 'm2' }, 'm', 'inner', 'none'] }] };
    const { definitions, notes } = await translated('cube', shop(view));
    expect(definitions[1]!.members).toEqual({
      ...{ name: 'v', version: 1 },
      tables: [
        {
          ...{ alias: 'a', sourceTable: 'a' },
          fields: [
            { name: 'm2', sourceColumn: 'n', fieldType: 'dimension', dataType: 'number' },
            { name: 'm', fieldType: 'dimension', dataType: 'number' },
          ],
        },
      ],
    });
    expect(notes).toEqual(['unmapped a.yml:1 a.none of view v']);
  });

  it.each([
    ['no cubes', {}],
    [
      'a cube by two paths',
      {
        cubes: [
          { join_path: 'b', includes: '*' },
          { join_path: 'a.b', includes: '*' },
        ],
      },
    ],
    ['nothing that is there', { cubes: [{ join_path: 'c', includes: '*' }] }],
    ['members in the older form', { includes: ['a.n'], cubes: [{ join_path: 'a', includes: '*' }] }],
    ['rules of access', { access_policy: [{ role: '*' }], cubes: [{ join_path: 'a', includes: '*' }] }],
    ['itself to no reader', { public: false, cubes: [{ join_path: 'a', includes: '*' }] }],
  ])('is listed if it names %s', async (_, view) => {
    const { definitions, notes } = await translated('cube', shop(view));
    expect(definitions).toHaveLength(1);
    expect(notes).toEqual(['unmapped a.yml:1 view v']);
  });

  it('gives no two fields one name', async () => {
    const view = { cubes: [{ join_path: 'a', includes: [{ name: 'n', alias: 'm' }, 'm'] }] };
    const { definitions, notes } = await translated('cube', shop(view));
    const [table] = definitions[1]!.members.tables as [{ fields: object[] }];
    expect(table.fields).toEqual([{ name: 'm', sourceColumn: 'n', fieldType: 'dimension', dataType: 'number' }]);
    expect(notes).toEqual(['unmapped a.yml:1 a.m of view v']);
  });
});

describe('a filter of a dashboard of Metabase', () => {
  const FIELD = ['field', ['Shop', null, 'orders', 'status'], { 'base-type': 'type/Text' }];
  const question = (query: object) => ({
    ...{ name: 'Q', entity_id: 'q', display: 'table', 'serdes/meta': [{ model: 'Card', id: 'q' }] },
    dataset_query: { database: 'Shop', ...query },
  });
  const asked = (query: object) =>
    question({ type: 'query', query: { 'source-table': ['Shop', null, 'orders'], ...query } });
  const board = (parameter: object, target: unknown) => ({
    ...{ name: 'B', entity_id: 'b', 'serdes/meta': [{ model: 'Dashboard', id: 'b' }] },
    parameters: [{ id: 'p', name: 'P', type: 'string/=', ...parameter }],
    dashcards: [
      {
        ...{ card_id: 'q', col: 0, row: 0, size_x: 1, size_y: 1, visualization_settings: {} },
        parameter_mappings: [{ parameter_id: 'p', card_id: 'q', target }],
      },
    ],
  });
  const filtered = async (card: object, parameter: object, target: unknown = ['dimension', FIELD]) => {
    const files = { 'q.yaml': JSON.stringify(card), 'b.yaml': JSON.stringify(board(parameter, target)) };
    const { definitions, notes } = await translated('metabase', givenFiles(files));
    const [made] = definitions.filter(({ kind }) => kind === 'dashboard');
    const { filters = [], cards } = made!.members as {
      filters?: Record<string, unknown>[];
      cards: { chartSpec: { query: { bindings?: unknown } } }[];
    };
    return { filters, bindings: cards[0]!.chartSpec.query.bindings, notes };
  };
  const byStatus = asked({ aggregation: [['count']], breakout: [FIELD] });

  it.each([
    ['of choices', { default: ['a', 'b'] }, 'multi_select', '["a","b"]'],
    ['of one choice', { isMultiSelect: false, default: 'a' }, 'select', '"a"'],
    ['of numbers', { type: 'number/=', default: [1] }, 'multi_select', '[1]'],
    ['of a text', { type: 'string/contains', default: ['a'] }, 'text', '"a"'],
    ['of a range', { type: 'number/between', default: [1, 9] }, 'number_range', '{"min":1,"max":9}'],
    ['of days', { type: 'date/range', default: '2026-01-01~' }, 'date_range', '{"from":"2026-01-01","to":null}'],
    ['of true or false', { type: 'boolean/=', default: [true] }, 'boolean', 'true'],
  ])('chooses among the rows of a card: %s', async (_, parameter, filterType, defaultValue) => {
    const { filters, bindings, notes } = await filtered(byStatus, parameter);
    expect(filters).toEqual([{ label: 'P', fieldId: 'status', filterType, defaultValue, linkedCardIds: ['card-1'] }]);
    expect([bindings, notes]).toEqual([undefined, []]);
  });

  it('sets a variable, also under another name', async () => {
    const tags = { 'template-tags': { least: { type: 'number', name: 'least' } } };
    const native = question({ type: 'native', native: { query: 'SELECT {{least}} AS n', ...tags } });
    const variable = ['variable', ['template-tag', 'least']];
    const made = await filtered(native, { type: 'number/=' }, variable);
    expect(made.filters).toMatchObject([{ fieldId: 'least', filterType: 'select' }]);
    expect(made.bindings).toBeUndefined();
    expect((await filtered(native, { type: 'number/between' }, variable)).filters).toEqual([]);
    expect((await filtered(native, { type: 'number/=' }, ['variable', ['template-tag', 'most']])).filters).toEqual([]);
  });

  it('is taken over for rows that are not grouped', async () => {
    for (const query of [{}, { fields: [FIELD] }])
      expect((await filtered(asked(query), {})).filters).toMatchObject([{ fieldId: 'status' }]);
  });

  it.each([
    ['a column that was not kept', asked({ aggregation: [['count']] })],
    ['rows before a limit', asked({ aggregation: [['count']], breakout: [FIELD], limit: 5 })],
    [
      'days of a month',
      asked({ aggregation: [['count']], breakout: [[...FIELD.slice(0, 2), { 'temporal-unit': 'month' }]] }),
    ],
    [
      'the inner part of a question',
      asked({
        'source-table': undefined,
        'source-query': { 'source-table': ['Shop', null, 'orders'], breakout: [FIELD] },
      }),
    ],
  ])('is listed if it filters %s', async (_, card) => {
    const { filters, notes } = await filtered(card, {});
    expect(filters).toEqual([]);
    expect(notes).toEqual([
      'unmapped b.yaml:1 filter P of card 1 of dashboard B',
      'unmapped b.yaml:1 filter P of dashboard B',
    ]);
  });

  it.each([
    ['another type', { type: 'string/!=' }, 'unmapped'],
    ['a default of another form', { type: 'date/range', default: 'past30days' }, 'check'],
    ['times that count from today', { type: 'date/all-options' }, 'check'],
    ['choices of its own', { values_source_type: 'static-list' }, 'check'],
    ['choices by another filter', { filteringParameters: ['o'] }, 'check'],
    ['no empty value', { required: true, default: ['a'] }, 'check'],
  ])('is listed if it has %s', async (_, parameter, kind) => {
    const { notes } = await filtered(byStatus, parameter);
    expect(notes).toEqual([`${kind} b.yaml:1 filter P of dashboard B`]);
  });
});

describe('tests of the package dbt_expectations', () => {
  const folderWith = (test: object, column = true) =>
    givenFiles({
      'dbt_project.yml': 'name: shop\n',
      'models/a.yml': JSON.stringify({
        models: [{ name: 't', ...(column ? { columns: [{ name: 'n', tests: [test] }] } : { tests: [test] }) }],
      }),
    });

  it.each([
    ['column_values_to_not_be_null', { row_condition: 'n > 0' }, 'not_null', { where: 'n > 0' }],
    ['column_values_to_be_unique', {}, 'unique', undefined],
    ['column_values_to_be_between', { min_value: 0, max_value: 9 }, 'value_range', { min: 0, max: 9 }],
    ['column_values_to_be_between', { min_value: 0, strictly: true }, 'value_range', { min: 0, inclusive: false }],
    ['column_values_to_be_in_set', { value_set: ['a', 'b'] }, 'allowed_values', { values: ['a', 'b'] }],
  ])('that mean the same are translated: %s %j', async (name, args, testType, config) => {
    const { definitions, notes } = await translated('dbt', folderWith({ [`dbt_expectations.expect_${name}`]: args }));
    expect(notes).toEqual([]);
    const [test] = definitions.filter(({ kind }) => kind === 'quality-test');
    expect(test!.members).toMatchObject({ testType, tableName: 't', columnName: 'n' });
    expect(test!.members.config).toEqual(config);
  });

  it.each([
    ['between', { min_value: 1 }, { min: 1 }],
    ['equal', { value: 3 }, { min: 3, max: 3 }],
  ])('count the rows of a table: %s', async (name, args, config) => {
    const test = { [`dbt_expectations.expect_table_row_count_to_${name === 'between' ? 'be_between' : name}`]: args };
    const { definitions } = await translated('dbt', folderWith(test, false));
    const [found] = definitions.filter(({ kind }) => kind === 'quality-test');
    expect(found!.members).toMatchObject({ testType: 'row_count', tableName: 't', config });
    expect(found!.members).not.toHaveProperty('columnName');
  });

  it.each([
    ['column_values_to_be_between', { min_value: 0, group_by: ['a'] }],
    ['column_values_to_be_between', { min_value: "cast('2020-01-01' as date)" }],
    ['column_values_to_be_between', {}],
    ['column_values_to_be_in_set', { value_set: ['now()'], quote_values: false }],
    ['column_values_to_not_be_null', { row_condition: '{{ x }}' }],
    ['column_values_to_not_be_null', { row_condition: 'a', where: 'b' }],
    ['column_values_to_match_regex', { regex: 'a' }],
  ])('that may mean something else are listed: %s %j', async (name, args) => {
    const { definitions, notes } = await translated('dbt', folderWith({ [`dbt_expectations.expect_${name}`]: args }));
    expect(definitions.filter(({ kind }) => kind === 'quality-test')).toEqual([]);
    expect(notes).toEqual([`unmapped models/a.yml:1 test dbt_expectations.expect_${name} of t.n`]);
  });
});

describe('files that are not as expected', () => {
  it.each([
    ['no YAML', 'models:\n  - name: [\n'],
    ['a list', '- a\n- b\n'],
    ['texts in place of mappings', 'models: text\nsemantic_models:\n  - text\nmetrics: 5\n'],
    ['members of other types', 'models:\n  - { name: 5, columns: { a: b }, tests: text, meta: [1] }\n'],
    ['nothing', ''],
    ['Jinja', '{% if x %}\nmodels: []\n{% endif %}\n'],
    ['aliases', 'models:\n  - &a { name: t, columns: [*b] }\n'],
  ])('are noted or left out: %s', async (_, content) => {
    const folder = givenFiles({ 'dbt_project.yml': 'name: shop\n', 'models/a.yml': content, 'model/a.yml': content });
    for (const tool of ['dbt', 'lightdash', 'cube'])
      expect((await translated(tool, folder)).definitions.filter(({ kind }) => kind !== 'model')).toEqual([]);
  });

  it('never become texts of SQL outside of quotes', async () => {
    const card = {
      ...{ name: `Ro"bert'); DROP`, entity_id: 'c1', display: 'table', 'serdes/meta': [{ model: 'Card', id: 'c1' }] },
      dataset_query: {
        ...{ database: 'Shop', type: 'query' },
        query: {
          'source-table': ['Shop', null, 'or"ders'],
          filter: ['=', ['field', ['Shop', null, 'or"ders', 'a"b'], null], "x' OR 1=1 --"],
          breakout: [['field', ['Shop', null, 'or"ders', 'a"b'], null]],
        },
      },
    };
    const { definitions } = await translated('metabase', givenFiles({ 'a.yaml': JSON.stringify(card) }));
    expect(definitions[0]!.members.sql).toBe(
      [
        'SELECT "or""ders"."a""b" AS "a""b"',
        'FROM "or""ders" AS "or""ders"',
        `WHERE "or""ders"."a""b" = 'x'' OR 1=1 --'`,
        'GROUP BY 1',
      ].join('\n'),
    );
  });
});

it('tables of a data source have its key and schema', async () => {
  const target = { source: 'warehouse', schema: 'marts', types: readTypes(join(FIXTURES, 'dbt/target/catalog.json')) };
  const { definitions } = await translated('dbt', join(FIXTURES, 'dbt'), target);
  const [model] = definitions;
  expect(model!.members).toMatchObject({ source: 'warehouse', tables: [{ sourceSchema: 'marts' }, {}] });
  const tests = definitions.filter(({ kind }) => kind === 'quality-test');
  expect(tests[0]!.members).toMatchObject({ source: 'warehouse', schemaName: 'marts' });
  // Foreign keys refer to datasets.
  expect(tests.map(({ members }) => members.testType)).not.toContain('foreign_key');
});
