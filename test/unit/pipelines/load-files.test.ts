import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine } from '../../../shared/data/duckdb/engine.ts';
import { openFile } from '../../../shared/data/files/file-relation.ts';
import type { FolderManifest } from '../../../shared/data/files/folder-manifest.ts';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { isAt } from './crash-points.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
let bucket: { sourceId: string; s3: S3Client; bucket: string };
beforeAll(async () => {
  setup = await RunSetup.open();
  bucket = await setup.bucketSource();
});
afterAll(() => setup.close());

let folders = 0;
const freshFolder = () => `out/folder ${++folders}`;

function dagOf(rows: string, target: object, config: object): Dag {
  const steps: Step[] = [
    { id: 'rows', type: 'transform_sql', config: { sql: rows }, retry: { maxAttempts: 1 } },
    {
      id: 'load',
      type: 'load',
      dependsOn: ['rows'],
      config: { target: { kind: 'files', sourceId: bucket.sourceId, ...target }, ...config },
      retry: {
        maxAttempts: 10,
        initialIntervalMs: 100,
        nonRetryableErrors: ['SCHEMA_MISMATCH', 'NOT_FOUND', 'FILE_UNREADABLE'],
      },
    },
  ];
  return { version: 1, steps };
}

async function ran(
  rows: string,
  target: object,
  config: object = { mode: 'append' },
  crash: RunSetup['crash'] = () => undefined,
) {
  const run = await setup.run(await setup.pipeline(dagOf(rows, target, config)));
  setup.crash = crash;
  await setup.drain();
  setup.crash = () => undefined;
  const stored = await setup.steps(run.id);
  return { run: await setup.stored(run.id), step: stored.find(({ stepId }) => stepId === 'load')! };
}

async function bytesAt(key: string): Promise<Buffer> {
  const { Body } = await bucket.s3.send(new GetObjectCommand({ Bucket: bucket.bucket, Key: `theirs/${key}` }));
  return Buffer.from(await Body!.transformToByteArray());
}

const manifestOf = async (path: string): Promise<FolderManifest> =>
  JSON.parse((await bytesAt(`${path}/_manifest.json`)).toString());

async function keysOf(path: string): Promise<string[]> {
  const found = await bucket.s3.send(new ListObjectsV2Command({ Bucket: bucket.bucket, Prefix: `theirs/${path}/` }));
  return (found.Contents ?? []).map(({ Key }) => Key!.slice(`theirs/${path}/`.length));
}

/** The rows that a reader of the manifest finds, as texts. */
async function read(path: string): Promise<string[]> {
  const manifest = await manifestOf(path);
  const engine = await openEngine({ memoryLimitMb: 256, threads: 1, tempDir: setup.worker.scratchDir });
  try {
    const rows: string[] = [];
    for (const file of manifest.files) {
      const local = join(setup.worker.scratchDir, `${newId()}.${manifest.format}`);
      writeFileSync(local, await bytesAt(`${path}/${file.path}`));
      const { sql } = await openFile(engine, { path: local, format: manifest.format });
      const found = (await engine.run(sql)).map((row) => [...row, ...Object.values(file.partition ?? {})].join(' '));
      expect(found).toHaveLength(file.rows);
      rows.push(...found);
    }
    return rows.sort();
  } finally {
    await engine.close();
  }
}

const people = (values: string) => `SELECT * FROM (VALUES ${values}) v(id, name)`;

describe('a load into files', () => {
  it.each(['csv', 'ndjson', 'json', 'parquet'])('keeps every value (%s)', async (format) => {
    const path = freshFolder();
    const rows = `SELECT 9007199254740991 AS big, 1.10::DECIMAL(5,2) AS price, true AS yes, DATE '2026-01-02' AS day,
        TIMESTAMP '2026-01-02 03:04:05.678901' AS at, '' AS none, 'a,"b"' || chr(10) || 'c' AS text, 'nan'::DOUBLE AS odd
      UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1.5`;
    const { run, step } = await ran(rows, { path, format });
    expect(run, JSON.stringify(run.error)).toMatchObject({ status: 'succeeded', rowsMoved: 2 });
    expect(step).toMatchObject({ rowsIn: 2, rowsOut: 2 });
    const [empty, full] = await read(path);
    expect(empty!.trim()).toBe('1.5');
    expect(full).toMatch(/^9007199254740991 1\.10? true 2026-01-02 2026-01-02[ T]03:04:05\.678901Z?\S* {2}a,"b"\nc/);
    expect(await manifestOf(path)).toMatchObject({ version: 1, format, columns: { length: 8 }, loads: [{ rows: 2 }] });
  });

  it('appends, and overwrites the whole folder, whose replaced files are gone', async () => {
    const path = freshFolder();
    const target = { path, format: 'csv' };
    await ran(people("(1, 'a')"), target);
    await ran(people("(2, 'b')"), target);
    expect(await read(path)).toEqual(['1 a', '2 b']);
    await ran(people("(3, 'c')"), target, { mode: 'overwrite' });
    expect(await read(path)).toEqual(['3 c']);
    expect(await keysOf(path)).toHaveLength(2);
    await ran(`${people("(4, 'd')")} WHERE false`, target, { mode: 'overwrite' });
    expect(await manifestOf(path)).toMatchObject({ files: [], columns: [{ name: 'id' }, { name: 'name' }] });
  });

  it('lays rows by partition, and overwrites the partitions that it has rows of', async () => {
    const path = freshFolder();
    const target = { path, format: 'parquet', partitionBy: ['region', 'day'] };
    const rows = (values: string) => `SELECT * FROM (VALUES ${values}) v(region, day, id)`;
    await ran(
      rows("('eu/x=1', DATE '2026-01-01', 1), ('us', DATE '2026-01-01', 2), (NULL, DATE '2026-01-02', 3)"),
      target,
    );
    expect((await keysOf(path)).map((key) => key.replace(/load-.*/, '')).sort()).toEqual([
      '_manifest.json',
      'region=__HIVE_DEFAULT_PARTITION__/day=2026-01-02/',
      'region=eu%2Fx%3D1/day=2026-01-01/',
      'region=us/day=2026-01-01/',
    ]);
    await ran(rows("('us', DATE '2026-01-01', 9), (NULL, DATE '2026-01-03', 4)"), target, {
      mode: 'overwrite',
      scope: 'partition',
    });
    expect(await read(path)).toEqual(['1 eu/x=1 2026-01-01', '3  2026-01-02', '4  2026-01-03', '9 us 2026-01-01']);
    const other = await ran(rows("('us', DATE '2026-01-01', 9)"), { path, format: 'csv' });
    expect(other.run.error).toMatchObject({
      code: 'SCHEMA_MISMATCH',
      message:
        'The folder holds parquet by region, day, but the load writes csv; overwrite the whole folder or use another.',
    });
  });

  it('lays rows without a value, without a letter and with the names of those apart', async () => {
    const path = freshFolder();
    const values = "(NULL, 1), ('__HIVE_DEFAULT_PARTITION__', 2), ('', 3), (chr(0), 4), ('%00', 5), ('%5F', 6)";
    await ran(`SELECT * FROM (VALUES ${values}) v(region, id)`, { path, format: 'csv', partitionBy: ['region'] });
    expect((await keysOf(path)).map((key) => key.replace(/load-.*/, '')).sort()).toEqual([
      '_manifest.json',
      'region=%00/',
      'region=%2500/',
      'region=%255F/',
      'region=%5F_HIVE_DEFAULT_PARTITION__/',
      'region=%C0%80/',
      'region=__HIVE_DEFAULT_PARTITION__/',
    ]);
    expect((await read(path)).map((row) => row[0]).sort()).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  it('says what becomes of other columns', async () => {
    const path = freshFolder();
    const target = { path, format: 'ndjson' };
    await ran(people("(1, 'a')"), target);
    const evolved = await ran('SELECT 2 AS id, true AS vip', target);
    expect(evolved.step.schemaChanges?.map(({ column, change }) => `${column} ${change}`)).toEqual([
      'name missing',
      'vip added',
    ]);
    await ran("SELECT 3 AS id, 'c' AS name, 1 AS more", target, { mode: 'append', onSchemaChange: 'ignore' });
    const refused = await ran('SELECT 4 AS id', target, { mode: 'append', onSchemaChange: 'fail' });
    expect(refused.run.error).toMatchObject({ code: 'SCHEMA_MISMATCH' });
    expect((await manifestOf(path)).columns.map(({ name }) => name)).toEqual(['id', 'name', 'vip']);
    expect(await read(path)).toEqual(['1 a', '2  true', '3 c ']);
  });

  it('takes effect once wherever its worker crashes, and leaves no unlisted file behind', async () => {
    let survived = 0;
    for (const when of ['before', 'after'] as const) {
      for (let nth = 4; nth <= 8; nth += 1) {
        const path = freshFolder();
        let writes = 0;
        const { run } = await ran(people("(1, 'a'), (2, 'b')"), { path, format: 'parquet' }, { mode: 'append' }, () =>
          ++writes === nth ? when : undefined,
        );
        // A run whose start was lost waits for the tick, which is no part of this setup.
        if (run.status !== 'succeeded') continue;
        survived += 1;
        expect(await read(path), `${when} ${nth}`).toEqual(['1 a', '2 b']);
        expect(await keysOf(path)).toHaveLength(2);
        expect(run.rowsMoved).toBe(2);
      }
    }
    expect(survived).toBeGreaterThan(4);
  });

  it('also reports what changed in the attempt after one that died after the commit', async () => {
    const path = freshFolder();
    const target = { path, format: 'csv' };
    await ran(people("(1, 'a')"), target);
    let died = false;
    const { step } = await ran('SELECT 2 AS id, true AS vip', target, { mode: 'append' }, (write) => {
      if (died || !isAt('commit', write)) return undefined;
      died = true;
      return 'before';
    });
    expect(step.attempt).toBe(2);
    expect(step.schemaChanges?.map(({ column, change }) => `${column} ${change}`)).toEqual([
      'name missing',
      'vip added',
    ]);
    expect(await read(path)).toEqual(['1 a', '2  true']);
  });

  it('loses nothing when two loads meet, whatever they do to the folder', async () => {
    const path = freshFolder();
    const target = { path, format: 'csv', partitionBy: ['name'] };
    const parts = { mode: 'overwrite', scope: 'partition' };
    await ran(people("(0, 'a'), (0, 'b'), (0, 'c')"), target);
    const pipelines = await Promise.all(
      ['a', 'b', 'c'].map((name, i) => setup.pipeline(dagOf(people(`(${i + 1}, '${name}')`), target, parts))),
    );
    for (const pipeline of pipelines) await setup.run(pipeline);
    await Promise.all(pipelines.map(() => setup.drain()));
    expect(await read(path)).toEqual(['1 a', '2 b', '3 c']);
    expect(await manifestOf(path)).toMatchObject({ version: 4 });
  });

  it('is one of many that append to a folder at the same time, and each of them commits once', async () => {
    const path = freshFolder();
    const ids = Array.from({ length: 15 }, (_, id) => id);
    const append = { mode: 'append' };
    const pipelines = await Promise.all(
      ids.map((id) => setup.pipeline(dagOf(people(`(${id}, 'x')`), { path, format: 'csv' }, append))),
    );
    for (const pipeline of pipelines) await setup.run(pipeline);
    await Promise.all(pipelines.map(() => setup.drain()));
    expect((await read(path)).map((row) => Number(row.split(' ')[0])).sort((a, b) => a - b)).toEqual(ids);
    expect(await manifestOf(path)).toMatchObject({ version: ids.length });
  });

  it('is refused where there is no such folder, source or manifest of ours', async () => {
    const path = freshFolder();
    const files = await setup.fileSource({});
    for (const [target, code] of [
      [{ path: 'a/{{ run.intervalStart }}/b', format: 'csv' }, 'NOT_FOUND'],
      [{ path, format: 'csv', sourceId: files }, 'NOT_FOUND'],
      [{ path, format: 'csv', sourceId: newId() }, 'NOT_FOUND'],
      [{ path, format: 'csv', partitionBy: ['nothing'] }, 'SCHEMA_MISMATCH'],
      [{ path, format: 'csv', partitionBy: ['id', 'name'] }, 'SCHEMA_MISMATCH'],
    ] as const) {
      expect((await ran(people("(1, 'a')"), target)).run.error, JSON.stringify(target)).toMatchObject({ code });
    }
    const Key = `theirs/${path}/_manifest.json`;
    const valid = { version: 1, format: 'csv', partitionBy: [], columns: [], files: [], loads: [] };
    for (const odd of ['{', '[]', { ...valid, columns: [{ name: 'id' }] }, { ...valid, files: [null] }]) {
      const Body = typeof odd === 'string' ? odd : JSON.stringify(odd);
      await bucket.s3.send(new PutObjectCommand({ Bucket: bucket.bucket, Key, Body }));
      expect((await ran(people("(1, 'a')"), { path, format: 'csv' })).run.error).toMatchObject({
        code: 'SCHEMA_MISMATCH',
        message: expect.stringContaining('_manifest.json'),
      });
    }
    expect(await keysOf(path)).toEqual(['_manifest.json']);
  });
});
