// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts look like variables
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { OBJECT_KINDS } from '../../../../shared/domains/catalog/definitions/index.ts';
import { type Api, it } from '../../../support/api.ts';
import { cases } from '../../../support/cases.ts';
import { givenLoad } from '../../../support/given/alerts.ts';
import { givenBlend, givenShopAndDesk } from '../../../support/given/blend.ts';
import { card, chart } from '../../../support/given/cards.ts';
import { textCard } from '../../../support/given/dashboard.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { files, posted } from './given.ts';

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((text) => /\S/.test(text) && !/[\p{Cc}]/u.test(text));
/** Also texts that look like references, variables, YAML or SQL. */
const hostile = fc.constantFrom(
  '@query/none',
  '@@',
  '${HOME}',
  "- 'a': {b}\n# c",
  '"; --',
  '  \n\t',
  'null',
  '1e3',
  '~',
);
const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 80 }), hostile);
const lines = fc.array(text, { maxLength: 4 }).map((all) => all.join('\n'));
const word = fc.stringMatching(/^[a-z][a-z_]{0,8}$/);
const commented = (sql: string, all: string) => `${sql} -- ${all.replaceAll('\n', '\n-- ')}`;
const schedule = fc.constantFrom(
  { cron: '@daily' },
  { everySeconds: 3600, enabled: false },
  { cron: '5 4 * * *', timezone: 'Asia/Tokyo' },
);

/** What is made of a body, with its id; undefined if its name is taken, or an operation rejects it. */
type Make = (api: Api, body: Record<string, unknown>) => Promise<string | undefined>;

interface Generated {
  body: fc.Arbitrary<Record<string, unknown>>;
  make: Make;
}

const createAt =
  (path: string): Make =>
  async (api, body) => {
    const reply = await api.as('owner').post(path, body);
    return reply.status === 201 ? reply.body.id : undefined;
  };

const at = (path: string, shape: Record<string, fc.Arbitrary<unknown>>): Generated => ({
  body: fc.record({ name, ...shape }),
  make: createAt(path),
});

const description = lines;

const sourceBody = fc.oneof(
  fc.record({ name, type: fc.constant('file'), schedule: fc.oneof(schedule, fc.constant(null)) }),
  fc.record({
    name,
    type: fc.constant('postgres'),
    config: fc.record(
      {
        host: fc.constant('127.0.0.1'),
        database: word,
        user: fc.constantFrom('reader', 'a@b', '${user}'),
        port: fc.constantFrom(5432, 6432),
        ssl: fc.boolean(),
      },
      { requiredKeys: ['host', 'database', 'user'] },
    ),
    secrets: fc.record({ password: text }),
  }),
  fc.record({
    name,
    type: fc.constant('http'),
    config: fc.record({
      baseUrl: fc.constant('http://127.0.0.1:8080'),
      auth: fc.constantFrom('none', 'bearer'),
      headers: fc.constantFrom({}, { 'x-b': '1', 'x-a': '@x' }),
      endpoints: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }).map((names) =>
        names.map((each, index) => ({
          name: each,
          path: `/${each}?a=${index}`,
          ...(index % 2 === 0 && { format: 'csv', options: { delimiter: ';' } }),
          ...(index % 2 === 1 && { pagination: { kind: 'page', parameter: 'p' } }),
        })),
      ),
    }),
    secrets: fc.constant({ credential: 'secret' }),
  }),
) as fc.Arbitrary<Record<string, unknown>>;

type Given = ReturnType<typeof givenOnce>;

/** What objects of several kinds refer to, made with the first one. */
function givenOnce(api: Api) {
  const once = <T>(make: () => Promise<T>) => {
    let made: Promise<T> | undefined;
    return () => {
      made ??= make();
      return made;
    };
  };
  const sales = once(() => givenSalesModel(api));
  const shop = once(() => givenShopAndDesk(api));
  return {
    sales,
    shop,
    metric: once(async () => givenMetric(api, (await sales()).definition)),
    blend: once(async () => givenBlend(api, (await shop()).body)),
  };
}

/** What people make of each kind, with what it refers to. */
const KINDS: Record<string, (api: Api, given: Given) => Promise<Generated>> = {
  async source() {
    return { body: sourceBody, make: createAt('/api/data-sources') };
  },

  async dataset() {
    return at('/api/datasets', {
      source: lines.map((all) => ({ kind: 'datasets', sql: commented('SELECT 1 AS a', all) })),
      schedule: fc.oneof(schedule, fc.constant(null)),
      partitionBy: fc.constantFrom(null, { column: 'a' }),
      retention: fc.constantFrom({ versions: 3, days: 1 }, { versions: 9, days: 0 }),
    });
  },

  async query() {
    return at('/api/saved-queries', {
      description,
      folder: fc.constantFrom('', 'a', 'a/b c'),
      sql: lines.map((all) => commented('SELECT 1 AS a', all)),
    });
  },

  async group() {
    return at('/api/groups', { description });
  },

  async theme() {
    return at('/api/themes', {
      tokens: fc.record({
        palette: fc.array(fc.constantFrom('#1f77b4', '#FFFFFF', '#000000'), { minLength: 1, maxLength: 5 }),
        fonts: fc.record({ heading: fc.constantFrom('sans', 'serif', 'mono'), body: fc.constantFrom('sans', 'serif') }),
        radius: fc.integer({ min: 0, max: 32 }),
        dark: fc.boolean(),
      }),
    });
  },

  async webhook() {
    return at('/api/webhooks', {
      url: fc.constantFrom('https://hooks.example.com/x?a=1', 'https://hooks.example.com/'),
      kind: fc.constantFrom('generic', 'chat'),
      events: fc.constantFrom(['*'], ['pipeline.run_failed'], ['pipeline.run_failed', 'pipeline.run_succeeded'], []),
      enabled: fc.boolean(),
    });
  },

  async term() {
    return at('/api/catalog/terms', {
      definition: lines.filter((all) => /\S/.test(all)),
      abbreviation: fc.constantFrom(null, 'ARR', '@x'),
      synonyms: fc.uniqueArray(name, { maxLength: 3 }),
      examples: fc.oneof(lines, fc.constant(null)),
      tags: fc.array(name, { maxLength: 3 }),
      exactMatch: fc.constantFrom([], ['https://terms.example.com/a']),
      status: fc.constantFrom('draft', 'in_review', 'approved'),
    });
  },

  async flowlet() {
    return at('/api/pipelines/flowlets', {
      name: name.filter((all) => all.trim() === all),
      description: lines,
      params: fc.constantFrom(
        [],
        [{ name: 'of', type: 'string', default: '@x' }],
        [{ name: 'of', type: 'list', default: [1, 'b'], required: true }],
      ),
      inputs: fc.constantFrom(
        [{ name: 'rows', columns: [{ name: 'n', type: 'integer' }] }],
        [{ name: 'rows', columns: [{ name: 'n' }, { name: 'flowlet', type: 'string' }] }],
      ),
      ops: lines.map((all) => [
        { op: 'derive', column: 'm', expression: `'${all.replaceAll(/['{}\n\0]/g, '')}'` },
        { op: 'limit', count: 3 },
      ]),
    });
  },

  async pipeline() {
    return at('/api/pipelines', {
      status: fc.constantFrom('active', 'paused'),
      schedule,
      concurrency: fc.constantFrom({}, { maxConcurrentRuns: 3 }, { onOverlap: 'queue' }),
      dag: fc.record({
        version: fc.constant(1),
        parameters: fc
          .uniqueArray(word, { maxLength: 3 })
          .map((names) => names.map((each, index) => ({ name: each, type: ['string', 'number'][index % 2] }))),
        steps: lines.map((all) => [
          {
            ...{ id: 'a', type: 'transform_sql', retry: { maxAttempts: 3, backoffCoefficient: 1.5 } },
            config: { sql: commented('SELECT 1 AS a', all.replaceAll(/[{}]/g, '')) },
          },
        ]),
      }),
    });
  },

  async model() {
    return {
      body: fc.record({ name, description, field: name, label: text, measure: name, filter: text }),
      async make(api, { field, label, measure, filter, ...body }) {
        const owner = api.as('owner');
        const { status, body: made } = await owner.post('/api/models', { ...body, sourceId: 'datasets' });
        if (status !== 201) return undefined;
        const path = `/api/models/${made.id}`;
        const table = await posted(api, `${path}/tables`, { sourceSchema: '', sourceTable: 'sales', alias: 'sales' });
        const fields = `${path}/tables/${table.id}/fields`;
        await posted(api, fields, { name: 'amount', fieldType: 'measure', dataType: 'decimal' });
        // A name may not fit a field, or a measure; the model is then without it.
        await owner.post(fields, {
          name: field,
          fieldType: 'dimension',
          dataType: 'string',
          label,
          description: filter,
        });
        await owner.post(`${path}/measures`, { name: measure, expression: 'SUM([sales.amount])', description: label });
        return made.id;
      },
    };
  },

  async blend(_, { shop }) {
    const { body } = await shop();
    return at('/api/composite-models', {
      ...Object.fromEntries(Object.entries(body).map(([member, value]) => [member, fc.constant(value)])),
      name,
      description: fc.oneof(lines, fc.constant(null)),
      keys: fc
        .record({ caseInsensitive: fc.boolean(), trim: fc.boolean(), matchNulls: fc.boolean() })
        .map((options) => [{ left: 'customer', right: 'who', as: 'text', ...options }]),
    });
  },

  async metric(_, { sales }) {
    const { definition, fields } = await sales();
    return at('/api/metrics', {
      ...Object.fromEntries(Object.entries(definition).map(([member, value]) => [member, fc.constant(value)])),
      name,
      description,
      grain: fc.constantFrom('day', 'month', 'year'),
      direction: fc.constantFrom('up_good', 'down_good'),
      filters: fc
        .array(text, { maxLength: 2 })
        .map((values) => (values.length === 0 ? [] : [{ fieldId: fields.region, op: 'in', values }])),
      target: fc.constantFrom(null, { value: 10, by: '2026-12-31' }),
    });
  },

  async 'quality-test'(_, { sales }) {
    const { modelId, table, fields } = await sales();
    const target = fc.constantFrom(
      { targetType: 'source_table', tableName: 'sales', columnName: 'region' },
      { targetType: 'model_field', modelId, tableId: table.id, fieldId: fields.region },
    );
    const { make } = at('/api/data-quality/tests', {});
    return {
      body: fc
        .record({
          name,
          description,
          testType: fc.constant('allowed_values'),
          target,
          values: fc.array(text, { minLength: 1, maxLength: 3 }),
        })
        .map(({ target: on, values, ...body }) => ({ ...body, ...on, config: { values } })),
      make,
    };
  },

  async dashboard(_, { sales }) {
    const { modelId, fields, revenue } = await sales();
    const source = { kind: 'model', id: modelId };
    return {
      body: fc.record({ name, description, title: text, label: text, value: text }),
      async make(callers, { title, label, value, ...body }) {
        const owner = callers.as('owner');
        const { status, body: made } = await owner.post('/api/dashboards', body);
        if (status !== 201) return undefined;
        const asked = {
          ...{ source, dimensions: [{ fieldId: fields.region, label }], measures: [{ measureId: revenue }] },
          filters: [{ fieldId: fields.region, op: 'in', values: [value] }],
        };
        // A text may not fit its place; the dashboard is then without the card.
        await owner.post(`/api/dashboards/${made.id}/cards`, card('rows', chart(asked), { title }));
        await owner.post(`/api/dashboards/${made.id}/cards`, textCard('note', { textContent: value }));
        return made.id;
      },
    };
  },

  async report(_, given) {
    const { modelId, fields, revenue } = await given.sales();
    const [metric, shop, blend] = await Promise.all([given.metric(), given.shop(), given.blend()]);
    const specs = [
      {
        source: { kind: 'model', id: modelId },
        dimensions: [{ fieldId: fields.region }],
        measures: [{ measureId: revenue }],
      },
      {
        source: { kind: 'metric', id: metric.id },
        grain: 'year',
        filters: [{ fieldId: fields.region, op: 'eq', values: ['eu'] }],
      },
      {
        source: { kind: 'blend', id: blend.id },
        dimensions: [{ fieldId: shop.fields.customer }, { fieldId: shop.fields.who }],
      },
      { source: { kind: 'dataset', id: shop.orders.id }, dimensions: [{ column: '@region' }] },
    ];
    const spec = fc.constantFrom(...specs);
    return at('/api/reports', {
      description,
      isPublished: fc.boolean(),
      parameters: fc.constantFrom([], [{ name: 'region', type: 'text', default: '@x' }]),
      layout: fc
        .array(
          fc.oneof(
            fc.record({ type: fc.constant('heading'), text: name }),
            fc.record({ type: fc.constant('text'), text: lines.filter((all) => all.length > 0) }),
            fc.record({
              ...{ type: fc.constantFrom('chart', 'table'), title: text },
              chartSpec: spec.map((query) => chart(query)),
              bindings: fc.constant([{ parameter: 'region', fieldId: fields.region }]),
            }),
          ),
          { maxLength: 4 },
        )
        .map((blocks) => ({ blocks: blocks.map((block, index) => ({ id: `b${index}`, ...block })) })),
    });
  },

  async alert(api, given) {
    const { queryId, dataset } = await givenLoad(api);
    const { modelId, fields } = await given.sales();
    const metric = await given.metric();
    const group = await posted(api, '/api/groups', { name: 'Readers' });
    const above = { operator: 'gt', threshold: 1 };
    return at('/api/dashboard-alerts', {
      description,
      onRefresh: fc.constant(false),
      condition: fc.constantFrom(
        ...[
          { kind: 'field', source: { kind: 'savedQuery', id: queryId }, column: 'load', reduce: 'max', ...above },
          { kind: 'field', source: { kind: 'dataset', id: dataset.id }, column: 'load', reduce: 'sum', ...above },
          { kind: 'field', source: { kind: 'model', id: modelId }, column: fields.amount, reduce: 'avg', ...above },
          { kind: 'metric', metricId: metric.id, by: { column: fields.region }, ...above },
        ],
      ),
      isActive: fc.boolean(),
      channels: fc.constantFrom(
        { event: false },
        { inApp: { groupIds: [group.id], followers: false }, email: { groupIds: [group.id] } },
      ),
      repeat: fc.constantFrom('never', { every: 'P1D' }),
      severity: fc.constantFrom('info', 'warning', 'critical'),
    });
  },
};

/** A value for each variable in place of a secret. */
const secretsFor = (file: string) =>
  Object.fromEntries(
    [...(file.split('\nsecrets:\n')[1] ?? '').matchAll(/\$\{(\w+)\}/g)].map(([, each]) => [each, 'secret']),
  );

/** Kinds that share a workspace. What others refer to is made once; models are made where none of their tables is. */
const TOGETHER = [
  ['source', 'dataset', 'query', 'group', 'model'],
  ['theme', 'webhook', 'term', 'flowlet', 'pipeline'],
  ['blend', 'metric', 'quality-test', 'dashboard', 'report', 'alert'],
];

describe('any object that people have made', () => {
  it('is of a kind that is tested here', () => {
    expect(TOGETHER.flat().sort()).toEqual(Object.keys(KINDS).sort());
    expect(TOGETHER.flat().sort()).toEqual(OBJECT_KINDS.toSorted());
  });

  it.for(TOGETHER.map((kinds) => [kinds.join(', '), kinds] as const))(
    'is a file that deploys to the same object: %s',
    { timeout: 600_000 },
    async ([, kinds], { api }) => {
      const given = givenOnce(api);
      for (const kind of kinds) await expectSameAgain(api, kind, await KINDS[kind]!(api, given));
    },
  );
});

async function expectSameAgain(api: Api, kind: string, { body, make }: Generated): Promise<void> {
  const { text: read, deploy, list, delete: remove } = files(api, 'owner');
  const made = new Set<string>();
  for (const each of fc.sample(body, cases(3, 100))) {
    const id = await make(api, each);
    if (id !== undefined) made.add(id);
  }
  expect(made.size, kind).toBeGreaterThan(0);
  const { items } = await list(`kind=${kind}`);
  const own = (items as { key: string; id: string }[]).filter(({ id }) => made.has(id));
  expect(own, kind).toHaveLength(made.size);
  await Promise.all(
    own.map(async ({ key, id }, index) => {
      const file = await read(kind, key);
      expect(await deploy(kind, key, file, 'adopt=true'), file).toMatchObject({ outcome: 'unchanged', id });
      // It is kept as the file of the object, which is what is read anyway: one of each kind shows that.
      if (index === 0) expect(await read(kind, key)).toBe(file);
      // The file of a deleted object makes another one that is the same.
      expect((await remove(kind, key, 'withData=true')).status).toBe(204);
      const again = await api
        .as('owner')
        .put(`/api/definitions/${kind}/${key}`, { yaml: file, secrets: secretsFor(file) });
      expect(again, `${file}\n${JSON.stringify(again.body)}`).toMatchObject({
        status: 200,
        body: { outcome: 'created' },
      });
      expect(await read(kind, key)).toBe(file);
    }),
  );
}
