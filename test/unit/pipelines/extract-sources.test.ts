import { gzipSync } from 'node:zlib';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import type { StoredPipeline } from '../../../shared/domains/pipelines/store/pipeline-record.ts';
import { readStepLog } from '../../../shared/domains/pipelines/store/step-logs.ts';
import { openWebService, sendJson } from '../../support/web-service.ts';
import { workbookOf } from '../../support/workbook.ts';
import { backfilled } from './given-backfill.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

/** A bucket of files that a test may change. */
async function givenBucket(files: Record<string, string | Buffer>) {
  const { s3, bucket, sourceId } = await setup.bucketSource();
  const put = (path: string, Body: string | Buffer) =>
    s3.send(new PutObjectCommand({ Bucket: bucket, Key: `theirs/${path}`, Body }));
  for (const [path, content] of Object.entries(files)) await put(path, content);
  return { sourceId, put };
}

const pages = { kind: 'page', parameter: 'page', first: 1 };
const httpSource = (url: string) =>
  setup.source('http', {
    baseUrl: url,
    auth: 'none',
    endpoints: [{ name: 'rows', path: '/rows', format: 'json', pagination: pages }],
  });

const cellOf = (value: string | number) =>
  typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const sheetOf = (...rows: (string | number)[][]) =>
  rows.map((row) => `<row>${row.map(cellOf).join('')}</row>`).join('');

const extract = (sourceId: string, object: object, more: object = {}, maxAttempts = 1) =>
  ({
    id: 'read',
    type: 'extract',
    config: { sourceId, object, ...more },
    retry: { maxAttempts, initialIntervalMs: 100 },
  }) as Step;
const keep = (name: string) =>
  ({
    id: 'keep',
    type: 'load',
    config: { target: { kind: 'dataset', name }, mode: 'append' },
    dependsOn: ['read'],
    retry: { maxAttempts: 1 },
  }) as Step;
const dagOf = (...steps: Step[]): Dag => ({ version: 1, steps });

async function ran(pipeline: StoredPipeline) {
  const run = await setup.run(pipeline);
  await setup.drain();
  const [step] = await setup.steps(run.id);
  const tail = await readStepLog(setup.worker.objects, step!);
  return { run: await setup.stored(run.id), step: step!, log: tail!.lines.map(({ message }) => message) };
}

async function read(step: Step) {
  const { run, step: done, log } = await ran(await setup.pipeline(dagOf(step)));
  const columns = done.output?.columns.map(({ name, type }) => `${name} ${type}`);
  return { error: run.error, columns, rows: done.output?.rows, attempt: done.attempt, log };
}

describe('an extract of a file in a bucket', () => {
  it('reads every format with its options, columns and filter', async () => {
    const sheet = workbookOf({ sheets: { Other: sheetOf([1]), Sales: sheetOf(['id', 'amount'], [1, 5], [2, 50]) } });
    const { sourceId } = await givenBucket({
      'a.csv.gz': gzipSync('id;amount\n1;5\n2;50\n'),
      'b.xlsx': sheet,
      'c.json': '[{"id":1,"amount":5},{"id":2,"amount":50}]',
      'd.txt': '{"id":1,"amount":5}\n{"id":2,"amount":50}\n',
    });
    for (const object of [
      { path: 'a.csv.gz', options: { delimiter: ';' } },
      { path: 'b.xlsx', options: { sheet: 'Sales' } },
      { path: 'c.json' },
      { path: 'd.txt', format: 'ndjson' },
    ]) {
      const whole = await read(extract(sourceId, object));
      expect(whole, object.path).toMatchObject({ columns: ['id integer', 'amount integer'], rows: 2 });
      const part = await read(extract(sourceId, object, { columns: ['amount'], filter: 'id > 1' }));
      expect(part, object.path).toMatchObject({ columns: ['amount integer'], rows: 1 });
    }
  });

  it.each(['Europe/Berlin', 'America/New_York'])(
    'reads the dates that the clock of %s counts in a backfill',
    async (timezone) => {
      const days = [1, 2, 3, 4].map((day) => `${day},2026-01-0${day},2026-01-0${day}T12:00:00Z,2026-01-0${day}`);
      const { sourceId } = await givenBucket({ 'days.csv': `id,day,at,t\n${days.join('\n')}\n5,,,none\n` });
      const config = { sourceId, object: { path: 'days.csv' } };
      const read = await backfilled(setup, { config, cursorColumns: ['day', 'at', 't'], timezone });
      expect(read).toEqual({ day: [2, 3], at: [2, 3], t: [2, 3] });
    },
  );

  it('takes the values of a run in its filter', async () => {
    const { sourceId } = await givenBucket({ 'log.csv': 'id,at\n1,2026-01-01 10:00:00\n2,2026-01-02 10:00:00\n' });
    const filter = 'id < {{ params.most }} AND "at" >= {{ run.intervalStart }} AND "at" < {{ run.intervalEnd }}';
    const logicalDate = '2026-01-02T00:00:00.000Z';
    const interval = { logicalDate, intervalStart: logicalDate, intervalEnd: '2026-01-03T00:00:00.000Z' };
    for (const more of [{}, { mode: 'incremental', incremental: { cursorColumn: 'id' } }]) {
      const pipeline = await setup.pipeline({
        ...dagOf(extract(sourceId, { path: 'log.csv' }, { filter, ...more })),
        parameters: [{ name: 'most', type: 'number', default: 100 }],
      });
      for (const [most, rows] of [
        [3, 1],
        [2, 0],
      ] as const) {
        const run = await setup.run(pipeline, { ...interval, parameters: { most } });
        await setup.drain();
        expect((await setup.stored(run.id)).error ?? null).toBeNull();
        expect((await setup.steps(run.id))[0]!.output).toMatchObject({ rows });
      }
    }
  });

  it('reads what is new once, late rows within the lag too, and reports rows without a cursor', async () => {
    const head = 'id,at\n1,2026-01-01 10:00:00\n2,2026-01-01 11:00:00\n9,\n';
    const { sourceId, put } = await givenBucket({ 'log.csv': head });
    const incremental = { cursorColumn: 'at', primaryKey: ['id'], lagSeconds: 3600 };
    const step = extract(sourceId, { path: 'log.csv' }, { mode: 'incremental', incremental });
    const pipeline = await setup.pipeline(dagOf(step, keep('bucket log')));
    const first = await ran(pipeline);
    expect(first.run).toMatchObject({ status: 'succeeded', rowsMoved: 2 });
    expect(first.log).toContain('1 rows have no usable value in at and are skipped.');
    // 3 was committed late, 4 has the time of the watermark, 5 is beyond the lag.
    await put('log.csv', `${head}3,2026-01-01 10:30:00\n4,2026-01-01 11:00:00\n5,2026-01-01 09:59:59\n`);
    expect((await ran(pipeline)).run).toMatchObject({ status: 'succeeded', rowsMoved: 2 });
    expect((await ran(pipeline)).run).toMatchObject({ status: 'succeeded', rowsMoved: 0 });
  });

  it('refuses a cursor that has become a text, and reads on once it is mended', async () => {
    const { sourceId, put } = await givenBucket({ 'log.csv': 'id\n998\n999\n' });
    const incremental = { cursorColumn: 'id' };
    const step = extract(sourceId, { path: 'log.csv' }, { mode: 'incremental', incremental });
    const cast = {
      id: 'cast',
      type: 'transform_sql',
      config: { sql: 'SELECT TRY_CAST(id AS BIGINT) AS id FROM read' },
      dependsOn: ['read'],
      retry: { maxAttempts: 1 },
    } as Step;
    const pipeline = await setup.pipeline(dagOf(step, cast, { ...keep('flipped'), dependsOn: ['cast'] } as Step));
    expect((await ran(pipeline)).run).toMatchObject({ status: 'succeeded', rowsMoved: 2 });
    await put('log.csv', 'id\n998\n999\n1000\nn/a\n');
    expect((await ran(pipeline)).run.error).toMatchObject({
      code: 'SCHEMA_MISMATCH',
      message: expect.stringContaining('The cursor column id changed from integer to text'),
    });
    await put('log.csv', 'id\n998\n999\n1000\n1001\n');
    expect((await ran(pipeline)).run).toMatchObject({ status: 'succeeded', rowsMoved: 2 });
  });

  it('starts again when the bucket breaks off in the middle of a file, and mixes no two versions of it', async () => {
    let asked = 0;
    const versions = ['id,name\n1,a\n2,b\n', 'id,name\n7,x\n8,y\n9,z\n'];
    const { url } = await openWebService((_url, response) => {
      const content = versions[asked++]!;
      response.writeHead(200, { etag: `"${asked}"`, 'content-length': content.length, 'content-type': 'text/csv' });
      if (asked > 1) response.end(content);
      else response.write(content.slice(0, 12), () => response.destroy());
    });
    const config = { bucket: 'theirs', region: 'us-east-1', endpoint: url };
    const sourceId = await setup.source('s3', config, { accessKeyId: 'k', secretAccessKey: 'secret' });
    const step = extract(sourceId, { path: 'rows.csv' }, {}, 2);
    expect(await read(step)).toMatchObject({ error: null, rows: 3, attempt: 2 });
    expect(asked).toBe(2);
  });
});

describe('an extract of a web service', () => {
  it('joins pages whose records have other columns and types, and keeps big numbers', async () => {
    const answers = [[{ id: 1, a: 'x' }], [{ id: 2.5, b: true }], [{ id: 3, a: null, b: false, c: { d: [1] } }], []];
    const { url } = await openWebService((asked, response) =>
      sendJson(response, answers[Number(asked.searchParams.get('page') ?? 1) - 1]),
    );
    expect(await read(extract(await httpSource(url), { table: 'rows' }))).toMatchObject({
      columns: ['id double', 'a string', 'b boolean', expect.stringMatching(/^c (struct|json)/)],
      rows: 3,
    });
    const { url: big } = await openWebService((asked, response) =>
      response.end(asked.searchParams.has('page') ? '[]' : '[{"n": 9223372036854775808}, {"n": 1}]'),
    );
    const found = await read(extract(await httpSource(big), { table: 'rows' }));
    expect(found).toMatchObject({
      error: null,
      rows: 2,
      columns: [expect.stringMatching(/^n (decimal\(\d+,0\)|double)$/)],
    });
  });

  it('asks a service no more that wants more patience than ten seconds', async () => {
    const { url, requests } = await openWebService((_asked, response) =>
      response.writeHead(429, { 'retry-after': '11' }).end(),
    );
    expect(await read(extract(await httpSource(url), { table: 'rows' }))).toMatchObject({
      error: { code: 'CONNECTION_FAILED' },
    });
    expect(requests).toHaveLength(1);
  });

  it('passes nothing on when a page fails, and reads all of them in the next attempt', async () => {
    let failures = 0;
    const { url, requests } = await openWebService((asked, response) => {
      const page = Number(asked.searchParams.get('page') ?? 1);
      if (page === 2 && ++failures <= 3) return void response.writeHead(503, { 'retry-after': '0' }).end();
      sendJson(response, page > 3 ? [] : [{ page }]);
    });
    const sourceId = await httpSource(url);
    const once = await read(extract(sourceId, { table: 'rows' }));
    expect(once).toMatchObject({ error: { code: 'CONNECTION_FAILED' }, rows: undefined });
    failures = 0;
    expect(await read(extract(sourceId, { table: 'rows' }, {}, 2))).toMatchObject({ error: null, rows: 3, attempt: 2 });
    expect(requests.length).toBeGreaterThan(8);
  });

  it('reads what is new since the last time', async () => {
    const records = [
      { id: 1, at: '2026-01-01T10:00:00Z' },
      { id: 2, at: '2026-01-01T11:00:00Z' },
    ];
    const { url } = await openWebService((asked, response) =>
      sendJson(response, asked.searchParams.has('page') ? [] : records),
    );
    const incremental = { cursorColumn: 'at', initialValue: '2026-01-01T10:30:00Z' };
    const step = extract(await httpSource(url), { table: 'rows' }, { mode: 'incremental', incremental });
    const pipeline = await setup.pipeline(dagOf(step, keep('web log')));
    expect((await ran(pipeline)).run).toMatchObject({ status: 'succeeded', rowsMoved: 1 });
    records.push({ id: 3, at: '2026-01-01T11:00:00Z' }, { id: 4, at: '2026-01-02T00:00:00Z' });
    expect((await ran(pipeline)).run).toMatchObject({ status: 'succeeded', rowsMoved: 2 });
    expect((await ran(pipeline)).run).toMatchObject({ status: 'succeeded', rowsMoved: 0 });
  });

  it('may have no records: what was read before says what columns there are', async () => {
    let records: object[] | null = [];
    const { url } = await openWebService((asked, response) =>
      sendJson(response, asked.searchParams.has('page') ? [] : records),
    );
    const sourceId = await httpSource(url);
    const incremental = { cursorColumn: 'at' };
    for (const [name, more] of Object.entries({ whole: {}, onwards: { mode: 'incremental', incremental } })) {
      records = [];
      const pipeline = await setup.pipeline(
        dagOf(extract(sourceId, { table: 'rows' }, more), keep(`${name} of the web`)),
      );
      expect((await ran(pipeline)).run.error).toMatchObject({
        code: 'SCHEMA_MISMATCH',
        message: expect.stringContaining('no records'),
      });
      records = [{ id: 1, at: '2026-01-01' }];
      expect((await ran(pipeline)).run).toMatchObject({ status: 'succeeded', rowsMoved: 1 });
      for (const none of [[], null]) {
        records = none;
        const { run, step, log } = await ran(pipeline);
        expect(run).toMatchObject({ status: 'succeeded', rowsMoved: 0 });
        expect(step.output).toMatchObject({
          rows: 0,
          columns: [
            { name: 'id', type: 'integer' },
            { name: 'at', type: 'date' },
          ],
        });
        expect(log).toContain('The source returned no records.');
      }
      records = [
        { id: 1, at: '2026-01-01' },
        { id: 2, at: '2026-01-02' },
      ];
      expect((await ran(pipeline)).run).toMatchObject({ rowsMoved: name === 'whole' ? 2 : 1 });
    }
  });

  it('says that it has endpoints and takes no queries', async () => {
    const { url } = await openWebService((_asked, response) => sendJson(response, []));
    const sourceId = await httpSource(url);
    for (const object of [{ path: 'rows.json' }, { query: 'SELECT 1' }]) {
      expect((await read(extract(sourceId, object))).error).toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});
