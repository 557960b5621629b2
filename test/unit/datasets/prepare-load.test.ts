import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_SMALL_FILES } from '../../../shared/datasets/compaction.ts';
import type { LoadBench } from '../../../shared/datasets/load-bench.ts';
import { type LoadBatch, type LoadHow, prepareLoad } from '../../../shared/datasets/prepare-load.ts';
import { type ColumnPredicate, filesFor } from '../../../shared/datasets/prune.ts';
import type { Manifest } from '../../../shared/datasets/record.ts';
import { storeFile } from '../../../shared/datasets/write-files.ts';
import { type Engine, openEngine } from '../../../shared/engine/engine.ts';
import { newId } from '../../../shared/storage/ids.ts';
import { RunPlane } from '../pipelines/run-plane.ts';

let plane: RunPlane;
let folder: string;
let engine: Engine;
beforeAll(async () => {
  plane = await RunPlane.open();
  folder = mkdtempSync(join(tmpdir(), 'prepare-load-'));
  engine = await openEngine({ memoryLimitMb: 512, threads: 2, tempDir: folder });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
  await plane.close();
});

function benchOf(): LoadBench {
  const { objects, cache } = plane.worker;
  return {
    engine,
    objects,
    cache,
    nextKey: () => `W/${plane.workspaceId}/datasets/x/${newId()}.parquet`,
    scratchFile: () => join(folder, `${randomUUID()}.parquet`),
  };
}

async function batchOf(bench: LoadBench, sql: string): Promise<LoadBatch> {
  const path = bench.scratchFile();
  const { rows, bytes, columns } = await engine.copyToParquet(sql, { path });
  return {
    columns,
    rows,
    bytes,
    paths: async () => [path],
    store: async () => (rows === 0 ? [] : [await storeFile(bench, path, { rows, bytes, columns })]),
  };
}

/** The dataset after a load on top of the one before. */
async function loaded(
  before: Manifest | undefined,
  sql: string,
  how: LoadHow = { mode: 'append' },
  partitionBy: Parameters<typeof prepareLoad>[4] = null,
): Promise<Manifest & { kept: number; added: number; told: string[] }> {
  const bench = benchOf();
  const { kept, added, columns, rowsLoaded, schemaChanges } = await prepareLoad(
    bench,
    await batchOf(bench, sql),
    before,
    how,
    partitionBy,
  );
  const files = [...kept, ...added];
  return {
    datasetId: 'x',
    workspaceId: plane.workspaceId,
    version: (before?.version ?? 0) + 1,
    files,
    columns,
    rowCount: rowsLoaded,
    sizeBytes: 0,
    mode: 'append',
    origin: { kind: 'refresh', jobId: 'x' },
    createdAt: '',
    kept: kept.length,
    added: added.length,
    told: schemaChanges.map(({ column, change, from, to }) => `${column} ${change} ${from} ${to}`),
  };
}

let attached = 0;

async function rowsOf(manifest: Manifest, sql = 'SELECT * FROM t ORDER BY ALL', files = manifest.files) {
  const table = `t${++attached}`;
  await engine.attach(table, await plane.worker.cache.fetchAll(files), { emptySchema: manifest.columns });
  const { rowsJson } = await engine.query(sql.replace('FROM t', `FROM ${table}`), { limit: 10_000, maxBytes: 1e8 });
  return JSON.parse(rowsJson) as unknown[][];
}

describe('a load', () => {
  it('adds columns, which are null in older rows, and keeps those that the rows lack', async () => {
    const first = await loaded(undefined, "SELECT 1 AS a, 'x' AS b");
    const second = await loaded(first, 'SELECT 2 AS a, true AS c');
    expect(second.columns.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(await rowsOf(second)).toEqual([
      [1, 'x', null],
      [2, null, true],
    ]);
  });

  it('widens types to what holds both, rewriting what is stored', async () => {
    const ints = await loaded(undefined, 'SELECT 1::BIGINT AS a');
    const decimals = await loaded(ints, 'SELECT 2.25::DECIMAL(4,2) AS a');
    expect(decimals.columns).toEqual([{ name: 'a', type: 'decimal(21,2)' }]);
    expect(await rowsOf(decimals)).toEqual([['1.00'], ['2.25']]);
    const narrow = await loaded(decimals, 'SELECT 3::BIGINT AS a');
    expect(narrow.columns).toEqual(decimals.columns);
    expect(narrow.kept).toBe(2);
    expect(await rowsOf(narrow)).toEqual([['1.00'], ['2.25'], ['3.00']]);
    const days = await loaded(
      await loaded(undefined, "SELECT DATE '2026-01-01' AS d"),
      "SELECT TIMESTAMP '2026-01-02 03:00:00' AS d",
    );
    expect(days.columns).toEqual([{ name: 'd', type: 'timestamp' }]);
  });

  it('refuses what no type holds, naming every column, and integers that a double would change', async () => {
    const first = await loaded(undefined, "SELECT 1 AS a, 'x' AS b, 1 AS c");
    await expect(loaded(first, "SELECT 'x' AS a, true AS b, 2 AS c")).rejects.toMatchObject({
      code: 'SCHEMA_MISMATCH',
      faults: [{ message: expect.stringContaining('column a') }, { message: expect.stringContaining('column b') }],
    });
    expect((await loaded(first, "SELECT 1.5::DOUBLE AS a, 'x' AS b, 2 AS c")).columns[0]).toEqual({
      name: 'a',
      type: 'double',
    });
    const ids = await loaded(undefined, 'SELECT 9007199254740993 AS id');
    await expect(loaded(ids, 'SELECT 1.5::DOUBLE AS id')).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' });
  });

  it('without rows changes nothing, and gives an empty dataset its columns', async () => {
    const empty = await loaded(undefined, 'SELECT 1 AS a, 2 AS b WHERE false');
    expect(empty).toMatchObject({ files: [], columns: [{ name: 'a' }, { name: 'b' }] });
    const filled = await loaded(empty, 'SELECT 5 AS a');
    expect(await rowsOf(filled)).toEqual([[5, null]]);
    expect(await loaded(filled, 'SELECT 1 AS z WHERE false')).toMatchObject({
      columns: filled.columns,
      files: filled.files,
    });
  });

  it('merges by key and leaves the files alone that hold none of the keys', async () => {
    const one = await loaded(undefined, "SELECT i AS id, 'old' AS v FROM range(0, 3) r(i)");
    const two = await loaded(one, "SELECT i AS id, 'old' AS v FROM range(10, 13) r(i)");
    const merged = await loaded(two, "SELECT * FROM (VALUES (11, 'new'), (20, 'new')) AS t(id, v)", {
      mode: 'merge',
      mergeKey: ['id'],
    });
    expect(merged.kept).toBe(1);
    expect(merged.files[0]).toBe(one.files[0]);
    expect((await rowsOf(merged)).map(([id, v]) => `${id} ${v}`)).toEqual([
      '0 old',
      '1 old',
      '2 old',
      '10 old',
      '11 new',
      '12 old',
      '20 new',
    ]);
  });

  it('joins small files when many have come together, losing and repeating none of their rows', async () => {
    let dataset = await loaded(undefined, 'SELECT 0 AS a');
    for (let n = 1; n <= MOST_SMALL_FILES + 2; n++) dataset = await loaded(dataset, `SELECT ${n} AS a`);
    expect(dataset.files.length).toBeLessThan(5);
    expect(await rowsOf(dataset)).toEqual(Array.from({ length: MOST_SMALL_FILES + 3 }, (_, n) => [n]));
  });

  it('splits rows by partition, and the files of one can be told by their bounds', async () => {
    const days =
      "SELECT i AS id, TIMESTAMP '2026-01-15' + i * INTERVAL 1 DAY AS at FROM range(60) r(i) UNION ALL SELECT 99, NULL";
    const dataset = await loaded(undefined, days, { mode: 'overwrite' }, { column: 'at', by: 'month' });
    expect(dataset.files.map(({ partition, rows }) => [partition, rows])).toEqual([
      ['2026-01-01 00:00:00', 17],
      ['2026-02-01 00:00:00', 28],
      ['2026-03-01 00:00:00', 15],
      [null, 1],
    ]);
    expect(await rowsOf(dataset, 'SELECT count(*), count(DISTINCT id) FROM t')).toEqual([[61, 61]]);
    const february: ColumnPredicate[] = [
      { column: 'at', op: 'gte', value: '2026-02-03' },
      { column: 'at', op: 'lt', value: '2026-03-01' },
    ];
    expect(filesFor(dataset, february)).toEqual([dataset.files[1]]);
    const more = await loaded(
      dataset,
      "SELECT 100 AS id, TIMESTAMP '2026-02-10' AS at",
      { mode: 'append' },
      { column: 'at', by: 'month' },
    );
    expect(filesFor(more, february)).toHaveLength(2);
  });

  it('refuses to make more partitions than are of use, or to part by a column that cannot', async () => {
    const many = 'SELECT i AS a, 1.5::DOUBLE AS d FROM range(600) r(i)';
    await expect(loaded(undefined, many, { mode: 'append' }, { column: 'a' })).rejects.toMatchObject({
      code: 'SCHEMA_MISMATCH',
    });
    for (const partitionBy of [{ column: 'd' }, { column: 'none' }, { column: 'a', by: 'day' as const }]) {
      await expect(loaded(undefined, many, { mode: 'append' }, partitionBy)).rejects.toMatchObject({
        code: 'SCHEMA_MISMATCH',
      });
    }
  });
});

describe('onSchemaChange', () => {
  const current = () => loaded(undefined, "SELECT 1 AS id, 'x' AS name, 1.50::DECIMAL(5,2) AS price");

  it('evolves unless said otherwise, and tells what changed', async () => {
    const next = await loaded(await current(), 'SELECT 2 AS id, 2.125::DECIMAL(6,3) AS price, true AS vip');
    expect(next.told).toEqual([
      'name missing string null',
      'price retyped decimal(5,2) decimal(6,3)',
      'vip added null boolean',
    ]);
    expect(await rowsOf(next)).toEqual([
      [1, 'x', '1.500', null],
      [2, null, '2.125', true],
    ]);
    const replaced = await loaded(next, "SELECT 'a' AS id, 1 AS n", { mode: 'overwrite' });
    expect(replaced.told).toEqual([
      'id retyped integer string',
      'name dropped string null',
      'price dropped decimal(6,3) null',
      'vip dropped boolean null',
      'n added null integer',
    ]);
  });

  it.each([
    [
      'append',
      { mode: 'append' },
      [
        [1, 'x', '1.50'],
        [2, null, '3.00'],
      ],
    ],
    ['overwrite', { mode: 'overwrite' }, [[2, null, '3.00']]],
    [
      'merge',
      { mode: 'merge', mergeKey: ['id'] },
      [
        [1, 'x', '1.50'],
        [2, null, '3.00'],
      ],
    ],
  ] as [string, LoadHow, unknown[][]][])('leaves the columns alone with ignore (%s)', async (_mode, how, rows) => {
    const next = await loaded(await current(), 'SELECT 2 AS id, 3.000::DECIMAL(9,3) AS price, true AS vip', {
      ...how,
      onSchemaChange: 'ignore',
    });
    expect(next.columns).toEqual((await current()).columns);
    expect(next.told).toEqual(['name missing string null', 'vip left_out null boolean']);
    expect(await rowsOf(next)).toEqual(rows);
  });

  it.each([
    ['fractions', "SELECT 1.5::DECIMAL(5,2) AS id, 'x' AS name, 1 AS price", 'id is integer'],
    ['too many digits', "SELECT 1 AS id, 'x' AS name, 1.505::DECIMAL(6,3) AS price", 'price is decimal'],
    ['numbers beyond', "SELECT 1 AS id, 'x' AS name, 100000 AS price", 'price is decimal'],
    ['other types', "SELECT true AS id, DATE '2026-01-01' AS name, 1 AS price", 'id is integer'],
  ])('refuses %s where the columns stay', async (_what, rows, message) => {
    const before = await current();
    await expect(loaded(before, rows, { mode: 'append', onSchemaChange: 'ignore' })).rejects.toMatchObject({
      code: 'SCHEMA_MISMATCH',
      message: expect.stringContaining(message),
    });
  });

  it('refuses every difference with fail, all of them at once, and takes rows without any', async () => {
    const before = await current();
    const fail = (sql: string, mode: 'append' | 'overwrite' = 'append') =>
      loaded(before, sql, { mode, onSchemaChange: 'fail' });
    for (const mode of ['append', 'overwrite'] as const) {
      await expect(fail('SELECT 2 AS id, 1.5::DOUBLE AS price, true AS vip', mode)).rejects.toMatchObject({
        code: 'SCHEMA_MISMATCH',
        faults: [
          { message: expect.stringContaining('price') },
          { message: expect.stringContaining('name') },
          { message: expect.stringContaining('vip') },
        ],
      });
    }
    const next = await fail("SELECT 2 AS id, 'y' AS name, 9.9::DECIMAL(3,1) AS price");
    expect(next.told).toEqual([]);
    expect(await rowsOf(next)).toEqual([
      [1, 'x', '1.50'],
      [2, 'y', '9.90'],
    ]);
    expect((await loaded(undefined, 'SELECT 1 AS a', { mode: 'append', onSchemaChange: 'fail' })).columns).toHaveLength(
      1,
    );
  });

  it('takes a column whose name is spelled otherwise for the same', async () => {
    const next = await loaded(await current(), "SELECT 2 AS ID, 'y' AS Name, 2::DECIMAL(5,2) AS price");
    expect(next.columns.map(({ name }) => name)).toEqual(['id', 'name', 'price']);
    expect(await rowsOf(next)).toEqual([
      [1, 'x', '1.50'],
      [2, 'y', '2.00'],
    ]);
  });

  it.each(['evolve', 'ignore', 'fail'] as const)(
    'takes columns without a value for what is there (%s)',
    async (how) => {
      const before = await loaded(undefined, "SELECT 1 AS id, DATE '2026-01-01' AS day");
      const next = await loaded(before, 'SELECT 2 AS id, NULL::BOOLEAN AS day', {
        mode: 'append',
        onSchemaChange: how,
      });
      expect(next).toMatchObject({ columns: before.columns, told: [] });
      expect(await rowsOf(next)).toEqual([
        [1, '2026-01-01'],
        [2, null],
      ]);
      const spelled = await loaded(before, 'SELECT 2 AS id, NULL::BOOLEAN AS Day', {
        mode: 'overwrite',
        onSchemaChange: how,
      });
      expect(spelled).toMatchObject({ columns: before.columns, told: [] });
      expect(await rowsOf(spelled, 'SELECT id, typeof(day) FROM t')).toEqual([[2, 'DATE']]);
      const none = "SELECT 'x' AS id, 'x' AS day WHERE false";
      for (const mode of ['append', 'merge'] as const) {
        const rule = mode === 'merge' ? { mode, mergeKey: ['id'] } : { mode };
        expect(await loaded(next, none, { ...rule, onSchemaChange: how })).toMatchObject({ files: next.files });
      }
    },
  );

  it('keeps a column readable whose only file goes', async () => {
    const older = await loaded(undefined, 'SELECT 1 AS id');
    const newer = await loaded(older, "SELECT 2 AS id, 'x' AS name");
    const left = await loaded(newer, 'SELECT 2 AS id, true AS gone', {
      mode: 'merge',
      mergeKey: ['id'],
      deleteColumn: 'gone',
    });
    expect(await rowsOf(left, 'SELECT id, name FROM t')).toEqual([[1, null]]);
    // The version before reads as it did.
    expect(await rowsOf(newer)).toEqual([
      [1, null],
      [2, 'x'],
    ]);
    expect(await rowsOf(older)).toEqual([[1]]);
  });
});

describe('an overwrite of partitions', () => {
  const byDay = { column: 'day' };
  const parts: LoadHow = { mode: 'overwrite', scope: 'partition' };
  const rows = (values: string) => `SELECT * FROM (VALUES ${values}) v(day, id)`;
  const given = (partitionBy: Parameters<typeof prepareLoad>[4] = byDay) =>
    loaded(
      undefined,
      rows("(DATE '2026-01-01', 1), (DATE '2026-01-01', 2), (DATE '2026-01-02', 3), (NULL, 4)"),
      { mode: 'append' },
      partitionBy,
    );

  it('replaces the partitions that the batch has rows of, and leaves the files of others alone', async () => {
    const before = await given();
    const next = await loaded(before, rows("(DATE '2026-01-01', 9), (DATE '2026-01-03', 5)"), parts, byDay);
    expect(next).toMatchObject({ kept: 2, added: 2, rowCount: 2 });
    expect(await rowsOf(next, 'SELECT id FROM t ORDER BY id')).toEqual([[3], [4], [5], [9]]);
    const withoutDay = await loaded(next, rows('(NULL::DATE, 7)'), parts, byDay);
    expect(await rowsOf(withoutDay, 'SELECT id FROM t ORDER BY id')).toEqual([[3], [5], [7], [9]]);
    expect(await loaded(before, 'SELECT NULL::DATE AS day, 1 AS id WHERE false', parts, byDay)).toMatchObject({
      files: before.files,
      rowCount: 0,
    });
  });

  it('parts files that were written before there were partitions, or for others', async () => {
    for (const earlier of [null, { column: 'day', by: 'month' as const }, { column: 'id' }]) {
      const next = await loaded(await given(earlier), rows("(DATE '2026-01-01', 9)"), parts, byDay);
      expect(await rowsOf(next, 'SELECT id FROM t ORDER BY id'), JSON.stringify(earlier)).toEqual([[3], [4], [9]]);
    }
    const months = await loaded(await given(), rows("(DATE '2026-01-31', 9), (DATE '2026-02-01', 10)"), parts, {
      column: 'day',
      by: 'month',
    });
    expect(await rowsOf(months, 'SELECT id FROM t ORDER BY id')).toEqual([[4], [9], [10]]);
  });

  it('takes new columns and wider types along', async () => {
    const next = await loaded(
      await given(),
      "SELECT TIMESTAMP '2026-01-01 00:00:00' AS day, 9 AS id, 'n' AS part",
      parts,
      { column: 'day', by: 'day' },
    );
    expect(next.told).toEqual(['day retyped date timestamp', 'part added null string']);
    expect(await rowsOf(next, 'SELECT id, part FROM t ORDER BY id')).toEqual([
      [3, null],
      [4, null],
      [9, 'n'],
    ]);
    const byNew = await loaded(await given(null), "SELECT DATE '2026-01-01' AS day, 9 AS id, 'eu' AS region", parts, {
      column: 'region',
    });
    expect(await rowsOf(byNew, 'SELECT count(*) FROM t')).toEqual([[5]]);
  });

  it('is refused for a dataset without partitions', async () => {
    const before = await given(null);
    await expect(loaded(before, rows("(DATE '2026-01-01', 9)"), parts)).rejects.toMatchObject({
      code: 'SCHEMA_MISMATCH',
      message: expect.stringContaining('partitionBy'),
    });
  });
});

describe('filesFor', () => {
  const type = fc.constantFrom(
    { name: 'integer', value: (n: number) => `${n * 7}`, sql: (n: number) => `${n * 7}::BIGINT` },
    { name: 'decimal', value: (n: number) => `${n}.5`, sql: (n: number) => `'${n}.5'::DECIMAL(9,2)` },
    { name: 'string', value: (n: number) => `k${n}é`, sql: (n: number) => `'k${n}é'` },
    {
      name: 'date',
      value: (n: number) => `20${String(40 + n).slice(-2)}-01-31`,
      sql: (n: number) => `DATE '20${String(40 + n).slice(-2)}-01-31'`,
    },
  );
  const number = fc.integer({ min: -15, max: 15 });

  it('leaves out no file that has a row for which the conditions hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        type,
        fc.array(fc.array(fc.option(number), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(fc.constantFrom('eq', 'lt', 'lte', 'gt', 'gte', 'is_null', 'not_null'), number), {
          minLength: 1,
          maxLength: 2,
        }),
        async ({ value, sql }, files, conditions) => {
          let dataset: Manifest | undefined;
          for (const rows of files) {
            const values = rows.map((n) => `(${n === null ? 'NULL' : sql(n)})`);
            dataset = await loaded(
              dataset,
              `SELECT CAST(c AS ${typeOfSql(sql(1))}) AS c FROM (VALUES ${values.join(', ')}) v(c)`,
            );
          }
          const predicates = conditions.map(([op, n]) =>
            op === 'is_null' || op === 'not_null' ? { column: 'c', op } : { column: 'c', op, value: value(n) },
          ) as ColumnPredicate[];
          const operators: Record<string, string> = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' };
          const where = conditions
            .map(([op, n]) =>
              op in operators ? `c ${operators[op]} ${sql(n)}` : op === 'is_null' ? 'c IS NULL' : 'c IS NOT NULL',
            )
            .join(' AND ');
          const question = `SELECT * FROM t WHERE ${where} ORDER BY ALL`;
          const pruned = filesFor(dataset!, predicates);
          expect(await rowsOf(dataset!, question, pruned)).toEqual(await rowsOf(dataset!, question));
        },
      ),
      { numRuns: 25 },
    );
  });

  const typeOfSql = (sql: string) =>
    sql.includes('DECIMAL')
      ? 'DECIMAL(9,2)'
      : sql.includes('BIGINT')
        ? 'BIGINT'
        : sql.startsWith('DATE')
          ? 'DATE'
          : 'VARCHAR';
});
