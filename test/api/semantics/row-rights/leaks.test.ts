import { describe, expect, vi } from 'vitest';
import { type Api, type Caller, it } from '../../../support/api.ts';
import type { Reply } from '../../../support/conformance.ts';
import { givenDashboard, POSITION } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenTable, posted } from '../../../support/given/model.ts';
import {
  givenPolicy,
  givenProtected,
  givenReader,
  SECRET_COLUMN,
  SECRET_ROW,
} from '../../../support/given/protected.ts';
import { storedRows } from '../../../support/given/quality.ts';
import { givenScan } from '../../../support/given/scan.ts';
import { pdfText, zipText } from '../../../support/read-files.ts';

interface Facts {
  dataset: string;
  table: string;
  /** The id of a field. */
  id: string;
}

/** A way to data of the dataset `people`: every reply of it, as one text. */
type DataPath = (call: Caller, place: Place) => Promise<Reply[]>;

interface Place {
  api: Api;
  dataset: string;
  savedQuery: string;
  /** The path of the model with the protected table. */
  model: string;
  table: string;
  field: Record<'id' | 'region' | 'name' | 'salary', string>;
  /** Rows that belong to those of the protected table, and that a policy shows by them. */
  facts: Facts;
  /** The path of a metric that counts the rows. */
  metric: string;
  /** The paths of data-quality tests that rows fail. */
  tests: string[];
  /** A scan of the dataset. */
  scan: string;
  /** The path of a published report. */
  report: string;
  /** The path of a published dashboard. */
  dashboard: string;
  /** The paths of its filters by names and salaries. */
  filters: string[];
}

const ask =
  (sql: string, accept = 'application/json'): DataPath =>
  async (call) => [await call.post('/api/query', { sql }, { headers: { accept } })];

type Question = (field: Place['field']) => object;

const question =
  (body: Question): DataPath =>
  async (call, { model, field }) => [
    await call.post(`${model}/query`, body(field)),
    await call.post(`${model}/compile`, body(field)),
  ];

const DATA_PATHS: Record<string, DataPath> = {
  'a query': ask('SELECT * FROM people ORDER BY id'),
  'a query as CSV': ask('SELECT * FROM people ORDER BY id', 'text/csv'),
  'a query as NDJSON': ask('SELECT * FROM people ORDER BY id', 'application/x-ndjson'),
  'a query with another case of the name': ask('SELECT * FROM "PEOPLE"'),
  'a count': ask('SELECT count(*) AS counted FROM people'),
  'a join with itself': ask('SELECT a.name, b.id FROM people a JOIN people b USING (region)'),
  'a subquery': ask('SELECT (SELECT max(name) FROM people) AS most, (SELECT count(*) FROM people) AS counted'),
  'a summary of the rows': ask('SELECT to_json(list(p)) AS everything FROM people p'),
  'a hidden column': ask('SELECT salary FROM people'),
  'an error by a conversion': ask('SELECT 1 FROM people WHERE CAST(name AS INTEGER) > 0'),
  'an error by a conversion after the filter': ask("SELECT CAST(name AS INTEGER) FROM people WHERE region = 'us'"),
  'an error of a hidden column': ask('SELECT 1 FROM people WHERE CAST(salary AS INTEGER) > 0'),
  'an error of the first value': ask("SELECT error((SELECT max(name) FROM people WHERE region = 'us'))"),
  'a condition on hidden rows': ask(
    `SELECT count(*) AS counted FROM people WHERE name LIKE '${SECRET_ROW.slice(0, 6)}%'`,
  ),
  'a check of a statement': async (call) => [await call.post('/api/query/validate', { sql: 'SELECT * FROM people' })],
  'a query job': async (call) => {
    const started = await call.post('/api/query/jobs', { sql: 'SELECT * FROM people' });
    if (started.status !== 202) return [started];
    const place = `/api/query/jobs/${started.body.id}`;
    const ended = await vi.waitFor(
      async () => {
        const job = await call.get(place);
        expect(['succeeded', 'failed']).toContain(job.body.status);
        return job;
      },
      { timeout: 60_000, interval: 100 },
    );
    const csv = { headers: { accept: 'text/csv' } };
    return [ended, await call.get(`${place}/result`), await call.get(`${place}/result`, csv)];
  },
  'a saved query': async (call, { savedQuery }) => [
    await call.post(`/api/saved-queries/${savedQuery}/run`, {}),
    await call.post(`/api/saved-queries/${savedQuery}/run`, {}, { headers: { accept: 'text/csv' } }),
  ],
  'a preview': async (call, { dataset }) => [
    await call.get(`/api/datasets/${dataset}/preview`),
    await call.get(`/api/datasets/${dataset}/preview?limit=1`),
  ],
  statistics: async (call, { dataset }) => [await call.get(`/api/datasets/${dataset}/statistics`)],
  'a question': question(({ id, name, region }) => ({
    dimensions: [{ fieldId: id }, { fieldId: name }, { fieldId: region }],
    measures: [{ fieldId: id, aggregation: 'sum' }],
  })),
  'a question for a total': question(({ id }) => ({
    measures: [{ fieldId: id, aggregation: 'count', label: 'counted' }],
  })),
  'a question for the largest value': question(({ name }) => ({ measures: [{ fieldId: name, aggregation: 'max' }] })),
  'a question for a hidden column': question(({ salary }) => ({ dimensions: [{ fieldId: salary }] })),
  'a question with a filter of a hidden column': question(({ name, salary }) => ({
    dimensions: [{ fieldId: name }],
    filters: [{ fieldId: salary, op: 'not_null', values: [] }],
  })),
  'a question that fails on hidden rows alone': question(({ id }) => ({
    dimensions: [{ fieldId: id }],
    // Only 4 and 5 give numbers that are too large.
    filters: [{ expression: '[people.id] * ([people.id] + 2305843009213693952) > 0' }],
  })),
  'the rows behind a number': async (call, { model, field }) => [
    await call.post(`${model}/drill`, {
      measure: { fieldId: field.id, aggregation: 'count' },
      columns: [{ fieldId: field.id }, { fieldId: field.name }],
    }),
    await call.post(`${model}/drill`, { measure: { fieldId: field.id, aggregation: 'count' } }),
    await call.post(`${model}/drill`, {
      measure: { fieldId: field.id, aggregation: 'count' },
      columns: [{ fieldId: field.salary }],
    }),
  ],
  'detected relationships': async (call, { model }) => [await call.post(`${model}/detect-relationships`)],
  'a metric': async (call, { metric, field }) => [
    await call.get(`${metric}/value?asOf=2024-01-20T00:00:00Z&includePartial=true`),
    await call.get(`${metric}/series?from=2024-01-01&to=2024-01-31`),
    await call.get(`${metric}/drivers?by=${field.name}&asOf=2024-01-20T00:00:00Z&includePartial=true`),
  ],
  'runs of data-quality tests': async (call, { tests }) => [
    ...(await Promise.all(tests.map((test) => call.get(`${test}/runs`)))),
    await call.get('/api/data-quality/issues'),
  ],
  'the rows that fail a data-quality test': async (call, { tests }) => {
    const name = `people__failing_${tests[0]!.slice(-12)}`;
    return [await call.post('/api/query', { sql: `SELECT * FROM "${name}" ORDER BY id` })];
  },
  'a preview of a model table': async (call, { model, table }) => [
    await call.post(`${model}/tables/${table}/preview`, {}),
    await call.post(`${model}/tables/${table}/preview`, { limit: 1 }),
  ],
  'the profiles of a scan': async (call, { scan }) => [
    await call.get(`/api/data-quality/scans/${scan}/profiles`),
    await call.get('/api/data-quality/profiles/people'),
    await call.get('/api/data-quality/summary'),
    await call.get('/api/data-quality/freshness'),
  ],
  'the cards of a dashboard': async (call, { dashboard, filters, field }) => [
    ...(await Promise.all(CARDS.map((card) => call.post(`${dashboard}/cards/${card}/data`)))),
    ...(await Promise.all(CARDS.map((card) => call.post(`${dashboard}/cards/${card}/image`)))),
    await call.post(`${dashboard}/data`),
    ...(await Promise.all(filters.map((filter) => call.post(`${filter}/values`)))),
    await call.post(`${dashboard}/cards/count/data`, { drill: [{ to: 'rows', values: {} }] }),
    await call.post(`${dashboard}/cards/names/data`, {
      filters: [{ fieldId: field.salary, op: 'eq', values: [SECRET_COLUMN] }],
    }),
  ],
  // Every format of documents has the rows that cards have.
  'exports of a dashboard': async (call, { dashboard, field }) => {
    const exported = (body: object) => call.post(`${dashboard}/export`, body, { headers: { accept: 'text/csv' } });
    const filters = [{ fieldId: field.salary, op: 'eq', values: [SECRET_COLUMN] }];
    return [
      await exported({ format: 'csv', cardIds: ['names'], filters }),
      ...(await Promise.all(['csv', 'xlsx', 'pdf'].map(async (format) => unpacked(await exported({ format }))))),
    ];
  },
  'the blocks of a report': async (call, { report, field }) => {
    const filters = [{ fieldId: field.salary, op: 'eq', values: [SECRET_COLUMN] }];
    return [
      ...(await Promise.all(CARDS.map((block) => call.post(`${report}/blocks/${block}/data`)))),
      await call.post(`${report}/blocks/names/data`, { filters }),
      await call.post(`${report}/blocks/names/data`, { parameters: [{ name: 'salary', value: SECRET_COLUMN }] }),
      ...(await Promise.all(
        ['csv', 'pdf'].map(async (format) => unpacked(await call.post(`${report}/export`, { format }))),
      )),
    ];
  },
  'facts of hidden rows': async (call, { model, facts }) => [
    await call.post('/api/query', { sql: 'SELECT * FROM facts ORDER BY id' }),
    await call.post('/api/query', { sql: 'SELECT count(*) AS counted, max(note) FROM facts' }),
    await call.post('/api/query', { sql: 'SELECT CAST(note AS INTEGER) FROM facts' }),
    await call.get(`/api/datasets/${facts.dataset}/preview`),
    await call.get(`/api/datasets/${facts.dataset}/statistics`),
    await call.post(`${model}/query`, {
      measures: [{ fieldId: facts.id, aggregation: 'count', label: 'counted' }],
    }),
    await call.post(`${model}/drill`, { measure: { fieldId: facts.id, aggregation: 'count' } }),
    await call.post(`${model}/tables/${facts.table}/preview`, {}),
  ],
  'the columns': async (call, { dataset }) => [await call.get(`/api/datasets/${dataset}/schema`)],
};

/** The reply with what its link leads to: the parts of a ZIP archive, or the uncompressed streams of a PDF. */
async function unpacked(reply: Reply): Promise<Reply> {
  if (!reply.body?.downloadUrl) return reply;
  const bytes = Buffer.from(await (await fetch(reply.body.downloadUrl)).arrayBuffer());
  const text = bytes.subarray(0, 2).toString() === 'PK' ? await zipText(bytes) : await pdfText(bytes);
  return { ...reply, bytes: Buffer.from(text) };
}

/** A dataset of a row for each of the protected ones, with a policy that reads those. */
async function givenFacts(api: Api, model: string, people: { id: string; key: string }): Promise<Facts> {
  const dataset = await givenDataset(api, {
    name: 'facts',
    sql: `SELECT 10 + range AS id, range AS person, if(range > 3, '${SECRET_ROW}', 'open') AS note FROM range(1, 6)`,
  });
  const table = await givenTable(api, model, 'facts');
  const id = await givenField(api, table.path, 'id', { dataType: 'integer' });
  const person = await givenField(api, table.path, 'person', { dataType: 'integer' });
  await posted(api, `${model}/relationships`, {
    fromTableId: people.id,
    fromFieldId: people.key,
    toTableId: table.id,
    toFieldId: person,
  });
  const filterExpression = '[people.region] IN user.attr("region")';
  await givenPolicy(api, model, { tableId: table.id, filterExpression });
  return { dataset: dataset.id, table: table.id, id };
}

const CARDS = ['names', 'people', 'saved', 'count', 'metric', 'facts'];

/** A published dashboard with a card, and a published report with a block, of each kind of source. */
async function givenCards(
  api: Api,
  {
    dataset,
    savedQuery,
    model,
    metric,
    field,
    facts,
  }: Record<'dataset' | 'savedQuery' | 'model' | 'metric', string> & Pick<Place, 'field' | 'facts'>,
): Promise<Pick<Place, 'dashboard' | 'filters' | 'report'>> {
  const { path } = await givenDashboard(api);
  const all = ['id', 'region', 'name', 'salary'];
  const queries: Record<string, object> = {
    names: {
      source: { kind: 'model', id: model },
      dimensions: [{ fieldId: field.id, label: 'id' }, { fieldId: field.name }],
    },
    people: { source: { kind: 'dataset', id: dataset }, dimensions: all.map((column) => ({ column })) },
    saved: { source: { kind: 'savedQuery', id: savedQuery } },
    count: {
      source: { kind: 'dataset', id: dataset },
      measures: [{ column: 'id', aggregation: 'count', label: 'counted' }],
    },
    metric: { source: { kind: 'metric', id: metric }, grain: 'year' },
    facts: {
      source: { kind: 'dataset', id: facts.dataset },
      dimensions: ['id', 'note'].map((column) => ({ column })),
    },
  };
  for (const [id, query] of Object.entries(queries)) {
    const chartSpec = { version: 1, query, mark: { type: 'table' } };
    await posted(api, `${path}/cards`, { id, cardType: 'table', position: POSITION, chartSpec });
  }
  const bindings = [{ parameter: 'salary', fieldId: field.salary }];
  const blocks = Object.entries(queries).map(([id, query]) => ({
    id,
    type: 'table',
    chartSpec: { version: 1, query, mark: { type: 'table' } },
    ...(id === 'names' && { bindings }),
  }));
  const parameters = [{ name: 'salary', type: 'text' }];
  const report = await posted(api, '/api/reports', { name: 'x', isPublished: true, layout: { blocks }, parameters });
  const filters: string[] = [];
  for (const fieldId of [field.name, field.salary]) {
    const { id } = await posted(api, `${path}/filters`, { fieldId, filterType: 'select' });
    filters.push(`${path}/filters/${id}`);
  }
  // The publisher may not see every column, and checks what the cards read.
  const published = await api.as('owner').post(`${path}/publish`, { override: true, overrideReason: 'Read by others' });
  expect(published.status, JSON.stringify(published.body)).toBe(200);
  return { dashboard: path, filters, report: `/api/reports/${report.id}` };
}

interface Reading {
  call: Caller;
  /** The number of rows that the reader may see. */
  rows: number;
  seesColumn?: boolean;
}

async function principals(api: Api, model: string, tableId: string): Promise<Record<string, Reading>> {
  const label = { sensitivityLabels: ['private'] };
  const viewer = await givenReader(api, { role: 'viewer' });
  const member = await givenReader(api);
  const inRegion = await givenReader(api, { attributes: { region: ['eu'] } });
  const labelled = await givenReader(api, { attributes: { region: 'eu', ...label } });
  const group = (await api.as('owner').post('/api/groups', { name: 'Second row' })).body;
  await api.as('owner').put(`/api/groups/${group.id}/members/${member.userId}`);
  for (const [filterExpression, subject] of [
    ['[id] = 1', { type: 'role', id: 'viewer' }],
    ['[id] = 2', { type: 'group', id: group.id }],
  ] as const)
    await givenPolicy(api, model, { tableId, filterExpression, appliesTo: [subject] });
  const key = async (attributes: object) => {
    const made = await api.as('owner').post('/api/api-keys', { name: crypto.randomUUID(), scope: 'admin', attributes });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return api.as({ token: made.body.key });
  };
  return {
    'an admin without a policy': { call: api.as('owner'), rows: 0 },
    'a viewer by role': { call: viewer.caller, rows: 1 },
    'a member of a group': { call: member.caller, rows: 1 },
    'a reader with the attribute': { call: inRegion.caller, rows: 3 },
    'a reader with the label': { call: labelled.caller, rows: 3, seesColumn: true },
    'a reader without the attribute': { call: (await givenReader(api)).caller, rows: 0 },
    'a key without attributes': { call: await key({}), rows: 0 },
    'a key with the attribute': { call: await key({ region: 'eu' }), rows: 3 },
    'a stranger': { call: api.as('stranger'), rows: 0 },
  };
}

/** Numbers of rows of the dataset that a reply reports. */
function countsIn({ body }: Reply): number[] {
  if (typeof body !== 'object' || body === null) return [];
  const { columns = [], rows = [], rowCount, result, value, points = [] } = body;
  const names: string[] = columns.map(({ name }: { name: string }) => name);
  const at = names.indexOf('counted');
  if (at >= 0) return rows.map((row: unknown[]) => Number(row[at]));
  const values = [value, ...points.map((point: { value: unknown }) => point.value)];
  const counted = values.filter((each) => typeof each === 'number');
  const counts = [...counted, names.includes('id') ? rowCount : undefined, result?.rowCount];
  return counts.filter((count) => typeof count === 'number');
}

describe('hidden rows and columns', () => {
  it('are in no reply of any data path, with a cold or a warm cache', { timeout: 600_000 }, async ({ api }) => {
    const { dataset, model, table, field } = await givenProtected(api);
    const everything = await givenReader(api, {
      attributes: { region: ['eu', 'us'], sensitivityLabels: 'PRIVATE' },
    });
    const saved = await everything.caller.post('/api/saved-queries', {
      name: 'All people',
      sql: 'SELECT * FROM people ORDER BY id',
    });
    expect(saved.status, JSON.stringify(saved.body)).toBe(201);
    const metric = await everything.caller.post('/api/metrics', {
      name: 'People',
      modelId: model.id,
      fieldId: field.id,
      aggregation: 'count',
      timeFieldId: field.day,
    });
    expect(metric.status, JSON.stringify(metric.body)).toBe(201);
    const failing = [
      { testType: 'regex', columnName: 'name', config: { pattern: '^A' } },
      { testType: 'custom_sql', config: { sql: 'SELECT CAST(name AS INTEGER) FROM input' } },
      { testType: 'unique', columnName: 'region' },
    ];
    const tests: string[] = [];
    for (const body of failing) {
      const test = { name: body.testType, targetType: 'source_table', tableName: 'people', ...body };
      const defined = await api.as('owner').post('/api/data-quality/tests', test);
      expect(defined.status, JSON.stringify(defined.body)).toBe(201);
      tests.push(`/api/data-quality/tests/${defined.body.id}`);
      expect((await api.as('owner').post(`${tests.at(-1)}/run`)).body.status).toMatch(/failed|error/);
    }
    expect((await storedRows(api, tests[0]!)).status).toBe('succeeded');
    const metricId = metric.body.id as string;
    const facts = await givenFacts(api, model.path, { id: table.id, key: field.id });
    const ids = {
      facts,
      dataset: dataset.id,
      savedQuery: saved.body.id as string,
      model: model.id,
      metric: metricId,
      field,
    };
    const place = {
      api,
      ...(await givenCards(api, ids)),
      tests,
      facts,
      metric: `/api/metrics/${metric.body.id}`,
      dataset: dataset.id,
      scan: (await givenScan(everything.caller, { tableName: 'people' })).id,
      savedQuery: saved.body.id,
      model: model.path,
      table: table.id,
      field,
    };
    // The reader who sees everything asks first, so that every cache is warm for the wrong one.
    for (const [name, path] of Object.entries(DATA_PATHS)) {
      expectShown(await path(everything.caller, place), name);
    }
    const readers = await principals(api, model.path, table.id);
    for (const [who, reader] of Object.entries(readers)) {
      for (const [name, path] of Object.entries(DATA_PATHS)) {
        const cold = await path(reader.call, place);
        const warm = await path(reader.call, place);
        for (const reply of [...cold, ...warm]) expectNoLeak(reply, reader, { who, name });
      }
    }
  });
});

/** The reader who sees everything gets the hidden values, so that looking for them finds something. */
function expectShown(replies: readonly Reply[], name: string): void {
  const text = JSON.stringify(replies.map(({ bytes }) => bytes.toString()));
  if (CANNOT_FAIL.includes(name)) expect(replies[0]!.status, name).toBe(400);
  if (name.startsWith('facts')) expect(text.split(SECRET_ROW).length, name).toBeGreaterThan(4);
  const isWhole = ['a query', 'a query job', 'a preview', 'a saved query'].includes(name) || name.startsWith('exports');
  if (isWhole) expect([text.includes(SECRET_ROW), text.includes(SECRET_COLUMN)], name).toEqual([true, true]);
}

/** Failing would reveal that there are other rows. */
const CANNOT_FAIL = ['a question that fails on hidden rows alone', 'an error by a conversion after the filter'];

function expectNoLeak(reply: Reply, { rows, seesColumn }: Reading, { who, name }: { who: string; name: string }): void {
  const text = JSON.stringify([reply.bytes.toString(), [...reply.headers]]);
  const what = `${who}: ${name}: ${text.slice(0, 500)}`;
  expect(text.includes(SECRET_ROW), what).toBe(false);
  if (!seesColumn) expect(text.includes(SECRET_COLUMN), what).toBe(false);
  if (CANNOT_FAIL.includes(name) && rows > 0) expect([200, 403], what).toContain(reply.status);
  if (name.includes('join')) return;
  for (const count of countsIn(reply)) expect(count, what).toBeLessThanOrEqual(rows);
}
