import { GetObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { cases } from '../../../support/cases.ts';
import { foreignBucket } from '../../../support/given/foreign-bucket.ts';
import { dagOf, finishedRun, givenPipeline, load, runThatIs, sql, startedRun } from './given.ts';

const read = async (api: Api, query: string) => (await api.as('editor').post('/api/query', { sql: query })).body.rows;

describe('a load', () => {
  it('replaces the partitions that it has rows of, and reports which columns changed', async ({ api }) => {
    const made = await api
      .as('editor')
      .post('/api/datasets', { name: 'visits', partitionBy: { column: 'day', by: 'month' } });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const visits = (values: string, names: string, config: object) =>
      finishedRun(
        api,
        dagOf(sql('rows', `SELECT * FROM (VALUES ${values}) v(${names})`), load('keep', 'rows', 'visits', config)),
      );
    const append = { mode: 'append' };
    await visits("(DATE '2026-01-05', 1), (DATE '2026-01-20', 2), (DATE '2026-02-01', 3)", 'day, id', append);
    const { run } = await visits("(DATE '2026-01-31', 9, 'de')", 'day, id, country', {
      mode: 'overwrite',
      scope: 'partition',
    });
    expect(run.steps[1]).toMatchObject({
      rowsOut: 1,
      deliveryGuarantee: 'effectively_once',
      schemaChanges: [{ column: 'country', change: 'added', from: null, to: 'string' }],
    });
    expect(await read(api, 'SELECT id, country FROM visits ORDER BY id')).toEqual([
      [3, null],
      [9, 'de'],
    ]);
    expect((await api.as('viewer').get(`/api/datasets/${made.body.id}`)).body).toMatchObject({
      version: 2,
      rowCount: 2,
    });
  });

  it('is one of hundreds that append to a dataset at the same time, and each of them commits once', async ({ api }) => {
    const blocks = ['a', 'b', 'c'];
    const each = cases(20, 100);
    const items = Array.from({ length: each }, (_, item) => item);
    const steps = blocks.flatMap((block, place) => [
      sql(`rows-${block}`, `SELECT ${place * each} + {{ forEach.${block}.item }} AS n`),
      { ...load(`keep-${block}`, `rows-${block}`, 'shared', { mode: 'append' }), retry: { maxAttempts: 1 } },
    ]);
    const forEach = blocks.map((id) => ({ id, items, steps: [`rows-${id}`, `keep-${id}`] }));
    const { id } = await givenPipeline(api, { ...dagOf(...steps), forEach });
    await runThatIs(api, await startedRun(api, id), 'succeeded', 300_000);
    const count = blocks.length * each;
    expect(await read(api, 'SELECT count(*), count(DISTINCT n), min(n), max(n) FROM shared')).toEqual([
      [count, count, 0, count - 1],
    ]);
    const { body } = await api.as('viewer').get('/api/datasets');
    expect(body.items).toMatchObject([{ name: 'shared', version: count, rowCount: count }]);
  }, 330_000);

  it('writes files into a bucket, counted as a sink of its own', async ({ api }) => {
    const { s3, bucket: Bucket, endpoint, secrets } = await foreignBucket();
    const source = await api.as('owner').post('/api/data-sources', {
      name: 'their bucket',
      type: 's3',
      config: { bucket: Bucket, endpoint },
      secrets,
    });
    const sourceId = source.body.id;
    const target = { kind: 'files', sourceId, path: 'out/{{ params.kind }}', format: 'ndjson' };
    const step = { ...load('keep', 'rows', '', { target, mode: 'overwrite' }) };
    const dag = {
      ...dagOf(sql('rows', "SELECT 1 AS id, 'a' AS name"), step),
      parameters: [{ name: 'kind', type: 'string', default: 'people' }],
    };
    const { run } = await finishedRun(api, dag);
    expect(run).toMatchObject({ rowsMoved: 1 });
    const text = async (Key: string) =>
      (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body!.transformToString();
    const manifest = JSON.parse(await text('out/people/_manifest.json'));
    expect(manifest).toMatchObject({ version: 1, format: 'ndjson', files: [{ rows: 1 }] });
    expect(await text(`out/people/${manifest.files[0].path}`)).toBe('{"id":1,"name":"a"}\n');
    const usage = await api.as('owner').get('/api/pipelines/usage/breakdown');
    expect(usage.body.sinks).toMatchObject([{ kind: 'files', id: `${sourceId}/out/people`, rowsMoved: 1 }]);

    const refused = await api.as('stranger').post('/api/pipelines', { name: 'theirs', dag });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/dag/steps/1/config/target/sourceId', code: 'SOURCE_UNKNOWN' }] },
    });
    expect((await api.as('owner').delete(`/api/data-sources/${sourceId}`)).status).toBe(409);
  });
});
