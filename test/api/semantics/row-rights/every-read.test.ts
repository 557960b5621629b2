import { describe, expect, vi } from 'vitest';
import { GROUPS } from '../../../../functions/api.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { givenDashboard, POSITION } from '../../../support/given/dashboard.ts';
import { endedRefresh } from '../../../support/given/dataset-job.ts';
import { posted } from '../../../support/given/model.ts';
import {
  givenPolicy,
  givenProtected,
  givenReader,
  SECRET_COLUMN,
  SECRET_ROW,
} from '../../../support/given/protected.ts';
import { storedRows } from '../../../support/given/quality.ts';
import { givenScan } from '../../../support/given/scan.ts';
import { dagOf, load, runThatIs, sql } from '../../pipelines/pipelines/given.ts';

/** Members of replies by which other operations name an item. */
const NAMES = ['id', 'runId', 'stepId', 'version', 'userId', 'tableName', 'slug'];
/** Some items of each list are enough; the newest come first. */
const MAX_ITEMS = 12;
const READS_AT_ONCE = 4;

const QUERIES: Record<string, string> = {
  getMetricValue: '?asOf=2024-01-20T00:00:00Z&includePartial=true',
  getMetricSeries: '?from=2024-01-01&to=2024-01-31',
  getMetricAnomalies: '?from=2024-01-01&to=2024-01-31',
};

const READS = GROUPS.flatMap(({ routes }) => routes).filter(
  ({ method, permission }) => method === 'GET' && permission !== 'public' && permission !== 'scim',
);

/** Every address that GET operations have, as far as the caller learns of it, or `seeds` name it by its list. */
async function addressesOf(call: Caller, seeds: Record<string, readonly string[]>): Promise<string[]> {
  const known = new Map<string, Promise<string[]>>();
  const namesUnder = (path: string) => {
    const names =
      known.get(path) ??
      call.get(path).then(
        ({ body }) => namesIn(body),
        () => [],
      );
    known.set(path, names);
    return names.then((found) => [...(seeds[path] ?? []), ...found]);
  };
  const addresses = await Promise.all(
    READS.map(async ({ path, operationId }) => {
      let prefixes = [''];
      for (const part of path.split('/').slice(1)) {
        const next = await Promise.all(
          prefixes.map(async (prefix) =>
            part.startsWith('{')
              ? (await namesUnder(prefix)).map((name) => `${prefix}/${name}`)
              : [`${prefix}/${part}`],
          ),
        );
        prefixes = next.flat();
      }
      return prefixes.map((each) => `${each}${QUERIES[operationId] ?? ''}`);
    }),
  );
  return [...new Set(addresses.flat())];
}

function namesIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const lists = Object.values(body).filter((each) => Array.isArray(each));
  const items = lists.flatMap((list) => list.slice(0, MAX_ITEMS)) as unknown[];
  const named = items.filter((each): each is Record<string, unknown> => typeof each === 'object' && each !== null);
  return [...new Set(named.flatMap((item) => NAMES.flatMap((name) => (name in item ? [String(item[name])] : []))))];
}

const extract = { id: 'read', type: 'extract', config: { object: { dataset: 'people' } }, retry: { maxAttempts: 1 } };
const cast = sql('cast', 'SELECT CAST(salary AS INTEGER) + CAST(name AS INTEGER) AS n FROM "read"', ['read']);
const code = (text: string) => ({
  id: 'code',
  type: 'transform_code',
  dependsOn: ['read'],
  config: { code: `function transform(rows) { ${text} }` },
  retry: { maxAttempts: 1 },
});
const gate = { id: 'short', type: 'regex', column: 'name', config: { pattern: '^A' }, action: 'fail' };

/** What stores rows of the protected dataset, or fails on them, defined by those who see all of it. */
async function givenUses(api: Api, call: Caller, { model, table, dataset, field }: Given) {
  const made = async (path: string, body: object): Promise<string> => {
    const reply = await call.post(path, body);
    expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBe(201);
    return reply.body.id;
  };
  const copy = (name: string, text: string) => made('/api/datasets', { name, source: { kind: 'datasets', sql: text } });
  const failing = await copy('failing', 'SELECT CAST(salary AS INTEGER) + CAST(name AS INTEGER) AS n FROM people');
  expect(await endedRefresh(api, failing)).toMatchObject({ status: 'failed' });
  await endedRefresh(api, await copy('counted', 'SELECT count(*) AS n FROM people'));

  const dags = [
    dagOf(extract, cast, load('keep', 'cast', 'numbers')),
    dagOf(extract, code('throw new Error(JSON.stringify(rows))'), load('keep', 'code', 'coded')),
    dagOf(extract, load('keep', 'read', 'checked', { mode: 'overwrite', gates: [gate] })),
  ];
  const runs = await Promise.all(
    dags.map(async (dag, index) => {
      const id = await made('/api/pipelines', { name: `fails ${index}`, dag });
      const started = await call.post(`/api/pipelines/${id}/run`);
      return (await runThatIs(api, started.body.id, 'failed')).id as string;
    }),
  );

  for (const body of [
    { testType: 'regex', columnName: 'name', config: { pattern: '^A' } },
    { testType: 'custom_sql', config: { sql: 'SELECT CAST(name AS INTEGER) FROM input' } },
    { testType: 'value_range', columnName: 'id', config: { min: 2 } },
  ]) {
    const test = { name: body.testType, targetType: 'source_table', tableName: 'people', ...body };
    const path = `/api/data-quality/tests/${await made('/api/data-quality/tests', test)}`;
    expect((await call.post(`${path}/run`)).body.status).toMatch(/failed|error/);
    if (body.testType === 'regex') expect((await storedRows(api, path)).status).toBe('succeeded');
  }
  const { id: scan } = await givenScan(call, { tableName: 'people' });

  const job = (await call.post('/api/query/jobs', { sql: 'SELECT * FROM people' })).body.id as string;
  await vi.waitFor(async () => expect((await call.get(`/api/query/jobs/${job}`)).body.status).toBe('succeeded'), {
    timeout: 60_000,
    interval: 100,
  });
  await made('/api/saved-queries', { name: 'All', sql: 'SELECT * FROM people' });
  const metric = { name: 'People', modelId: model.id, fieldId: field.id, aggregation: 'sum', timeFieldId: field.day };
  await made('/api/metrics', metric);
  const { path: dashboard } = await givenDashboard(api);
  const chartSpec = {
    version: 1,
    query: { source: { kind: 'dataset', id: dataset.id }, dimensions: [{ column: 'name' }, { column: 'salary' }] },
    mark: { type: 'table' },
  };
  await posted(api, `${dashboard}/cards`, { id: 'names', cardType: 'table', position: POSITION, chartSpec });
  expect((await call.post(`${dashboard}/cards/names/data`)).bytes.toString()).toContain(SECRET_ROW);
  expect((await call.post(`${model.path}/tables/${table.id}/preview`, {})).status).toBe(200);
  expect((await call.post(`${model.path}/detect-relationships`)).status).toBe(200);
  return {
    '/api/query/jobs': [job],
    '/api/pipelines/runs': runs,
    '/api/data-quality/profiles': ['people'],
    '/api/data-quality/scans': [scan],
  };
}
type Given = Awaited<ReturnType<typeof givenProtected>>;

describe('what others have computed of hidden rows and columns', () => {
  it('is in no reply to any GET: no row, no error that quotes one, no log', async ({ api }) => {
    const given = await givenProtected(api);
    const all = await givenReader(api, { attributes: { sensitivityLabels: 'Private' } });
    await givenPolicy(api, given.model.path, {
      tableId: given.table.id,
      filterExpression: 'TRUE',
      appliesTo: [{ type: 'user', id: all.userId }],
    });
    const seeds = await givenUses(api, all.caller, given);
    const addresses = [
      ...new Set([...(await addressesOf(all.caller, seeds)), ...(await addressesOf(api.as('owner'), seeds))]),
    ];
    const shows = async (call: Caller) => {
      const found: string[] = [];
      await inParallel(READS_AT_ONCE, addresses, async (address) => {
        const text = (await call.get(address)).bytes.toString();
        if (text.includes(SECRET_ROW) || text.includes(SECRET_COLUMN)) found.push(address);
      });
      return found.sort();
    };
    // Logs are shown whole or not at all; steps are asked for in runs of others, too.
    const logs = addresses.filter((address) => address.endsWith('/logs'));
    const outcomes = await Promise.all(logs.map(async (address) => (await api.as('editor').get(address)).body.code));
    expect(new Set(outcomes)).toEqual(new Set(['RLS_RAW_SQL', 'STEP_LOG_NOT_FOUND']));
    // Looking for the values finds something.
    const seen = await shows(all.caller);
    for (const part of ['/preview', '/runs', '/profiles', '/result']) expect(seen.join(' '), part).toContain(part);
    for (const [who, call] of Object.entries({
      'an admin': api.as('owner'),
      'an editor': api.as('editor'),
      'a viewer': api.as('viewer'),
      'a reader of some rows': (await givenReader(api, { attributes: { region: 'eu' } })).caller,
    }))
      expect(await shows(call), who).toEqual([]);
  });
});
