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
      at(77, 'segments orders.completed'),
      at(81, 'pre_aggregations orders.main'),
      'unmapped model/views/orders.yml:2 view orders_view',
    ]);
  });

  it('is listed with its place, for Metabase', async () => {
    const { notes } = await translated('metabase', join(FIXTURES, 'metabase'));
    expect(notes).toEqual([
      'unmapped collections/main/sales/filtered.yaml:1 question Filtered orders',
      'check collections/main/sales/orders_by_status.yaml:1 question Orders by status',
      'unmapped collections/main/sales/overview.yaml:6 filter Status of dashboard Overview',
      'unmapped collections/main/sales/overview.yaml:54 card 5 of dashboard Overview',
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
