import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openEngine, type ReusableEngine } from '../../../../shared/data/duckdb/engine.ts';
import { openTestEngine, rowsOf, temporaryDirectory } from './open-test-engine.ts';

const SMALL = { limit: 100, maxBytes: 100_000 };

describe('an attached table', () => {
  it('holds the rows of exactly the given files, joined by column name', async () => {
    const { engine, dir } = await openTestEngine();
    await engine.copyToParquet("SELECT 1 AS id, 'a' AS name", { path: `${dir}/1.parquet` });
    await engine.copyToParquet('SELECT true AS late, 2 AS id', { path: `${dir}/2.parquet` });
    await engine.copyToParquet('SELECT 3 AS id', { path: `${dir}/3.parquet` });
    await engine.attach('orders', [`${dir}/1.parquet`, `${dir}/2.parquet`]);
    await engine.lock();

    expect(await rowsOf(engine, 'SELECT * FROM orders ORDER BY id')).toEqual([
      [1, 'a', null],
      [2, null, true],
    ]);
  });

  it('is empty with the given columns when it has no files', async () => {
    const { engine } = await openTestEngine();
    const columns = [
      { name: 'id', type: 'integer' },
      { name: 'price "net"', type: 'decimal(10,2)' },
      { name: 'tags', type: 'list(struct(name string, "at once" timestamptz))' },
    ];
    await engine.attach('empty table', [], { emptySchema: columns });

    const result = await engine.query('SELECT * FROM "empty table"', SMALL);
    expect(result).toMatchObject({ columns, rowsJson: '[]', rowCount: 0, truncated: false });
    await expect(engine.attach('nothing', [])).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' });
    await expect(
      engine.attach('odd', [], { emptySchema: [{ name: 'a', type: 'decimal(39,2)' }] }),
    ).rejects.toMatchObject({
      code: 'SCHEMA_MISMATCH',
    });
  });

  it('holds only permitted rows and columns when restricted, and its file is out of reach', async () => {
    const { engine, dir } = await openTestEngine();
    const path = `${dir}/people.parquet`;
    await engine.copyToParquet("SELECT * FROM (VALUES (1, 'eu', 9), (2, 'us', 8)) AS t(id, region, salary)", { path });
    await engine.attach('people', [path], {
      only: { columns: ['id', 'region'], where: 'region = $1', params: ['eu'] },
    });
    await engine.lock();

    expect(await rowsOf(engine, 'SELECT * FROM people')).toEqual([[1, 'eu']]);
    await expect(rowsOf(engine, `SELECT * FROM read_parquet('${path}')`)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  it.each([false, true])(
    'has what a restriction reads only while it copies the rows (confined: %s)',
    async (isConfined) => {
      const { engine, dir } = await openTestEngine();
      const [orders, customers, later] = ['orders', 'customers', 'later'].map((name) => `${dir}/${name}.parquet`);
      await engine.copyToParquet('SELECT range AS id, 1 + range % 3 AS customer FROM range(6)', { path: orders! });
      // A key that is there twice, and a file that is older than the column.
      await engine.copyToParquet("SELECT * FROM (VALUES (1, 'eu'), (1, 'eu')) AS t(id, region)", { path: customers! });
      await engine.copyToParquet('SELECT 2 AS id', { path: later! });
      if (isConfined) (engine as ReusableEngine).confine();
      const related = (name: string, files: string[]) => ({
        name,
        columns: [
          { name: 'id', type: 'integer' },
          { name: 'region', type: 'string' },
        ],
        files,
      });
      const where = (name: string) =>
        `EXISTS (SELECT 1 FROM "${name}" AS c WHERE c.id = "#rows".customer AND c.region IN (SELECT unnest($1)))`;
      await engine.attach('orders', [orders!], {
        only: {
          columns: ['id', 'customer'],
          where: `${where('#one')} OR ${where('#two')}`,
          params: [['eu', ...Array.from({ length: 9_999 }, (_, index) => `region ${index}`)]],
          related: [related('#one', [customers!, later!]), related('#two', [])],
        },
      });
      expect(await rowsOf(engine, 'SELECT * FROM orders ORDER BY id')).toEqual([
        [0, 1],
        [3, 1],
      ]);
      expect(await rowsOf(engine, 'SELECT view_name FROM duckdb_views() WHERE NOT internal')).toEqual([]);
      await engine.lock();
      await expect(rowsOf(engine, `SELECT * FROM read_parquet('${customers}')`)).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      });
    },
  );

  it('does not take a path with a wildcard for a file', async () => {
    const { engine } = await openTestEngine();
    await expect(engine.attach('t', ['/data/*.parquet'])).rejects.toThrow('wildcards');
  });
});

describe('a locked engine', () => {
  it.each([
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM read_blob('/proc/self/environ')",
    "SELECT * FROM 'http://127.0.0.1/x.parquet'",
  ])('does not run %s', async (sql) => {
    const { engine } = await openTestEngine();
    await engine.lock();
    await expect(rowsOf(engine, sql)).rejects.toMatchObject({ name: 'DataError' });
  });

  it('keeps its settings and writes nowhere but to the given outputs', async () => {
    const { engine, dir } = await openTestEngine();
    await engine.lock([`${dir}/out.parquet`]);

    await expect(engine.run("SET memory_limit = '90GB'")).rejects.toMatchObject({ code: 'SQL_ERROR' });
    await expect(engine.run('INSTALL httpfs')).rejects.toMatchObject({ name: 'DataError' });
    await expect(engine.copyToParquet('SELECT 1', { path: `${dir}/other.parquet` })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    expect(existsSync(`${dir}/other.parquet`)).toBe(false);
    for (const rows of [1, 2]) {
      const copied = await engine.copyToParquet(`SELECT * FROM range(${rows})`, { path: `${dir}/out.parquet` });
      expect(copied).toMatchObject({ rows });
    }
  });

  it('never reveals the path of a file', async () => {
    const { engine, dir } = await openTestEngine();
    await engine.lock();
    const error = await rowsOf(engine, `SELECT * FROM read_parquet('${dir}/missing.parquet')`).catch((e) => e);
    expect(JSON.stringify([error.message, error.issues])).not.toContain(dir);
  });
});

describe('a query', () => {
  it('keeps the order of its rows and reports when there are more', async () => {
    const { engine } = await openTestEngine();
    const result = await engine.query('SELECT i FROM range(100000) AS t(i) ORDER BY i DESC', {
      limit: 3,
      maxBytes: 1000,
    });
    expect(result).toMatchObject({ rowsJson: '[[99999],[99998],[99997]]', rowCount: 3, truncated: true });
    expect(await engine.query('SELECT 1', { limit: 1, maxBytes: 1000 })).toMatchObject({ truncated: false });
  });

  it('gives columns of one name different names', async () => {
    const { engine } = await openTestEngine();
    expect(await engine.describe('SELECT 1 AS a, 2 AS a')).toEqual([
      { name: 'a', type: 'integer' },
      { name: 'a_1', type: 'integer' },
    ]);
  });

  it('accepts a closing comment without a line break', async () => {
    const { engine } = await openTestEngine();
    expect(await rowsOf(engine, 'SELECT 1 -- one')).toEqual([[1]]);
  });

  it('binds parameters of every kind', async () => {
    const { engine } = await openTestEngine();
    const params = [null, true, 7, 1.5, 'x', new Date('2024-01-02T03:04:05.678Z'), [1, 2.5], [], 2n ** 60n];
    expect(await rowsOf(engine, 'SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9', params)).toEqual([
      [null, true, 7, 1.5, 'x', '2024-01-02T03:04:05.678Z', [1, 2.5], [], String(2n ** 60n)],
    ]);
    expect(
      await rowsOf(engine, "SELECT DATE '2024-02-01' >= $1, i FROM range(5) t(i) WHERE i = ANY($2) LIMIT $3", [
        '2024-01-01',
        [1, 3],
        1,
      ]),
    ).toEqual([[true, 1]]);
    await expect(rowsOf(engine, 'SELECT $1', [[1, 'x']])).rejects.toMatchObject({ code: 'SQL_ERROR' });
  });

  it('fails above the byte limit', async () => {
    const { engine } = await openTestEngine();
    const result = engine.query("SELECT repeat('x', 600) FROM range(2)", { limit: 10, maxBytes: 1000 });
    await expect(result).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
  });

  it.each([
    ['SELECT 1,\n  nope FROM (SELECT 1 AS a)', 'SQL_ERROR', { line: 2, column: 3, offset: 12 }],
    ["SELECT 'é', lowr('a')", 'SQL_ERROR', { line: 1, column: 13, offset: 12 }],
    ['SELECT * FRM t', 'SQL_PARSE', { line: 1, column: 14, offset: 13 }],
    ["SELECT 'a'::INT", 'SQL_ERROR', { line: 1, column: 11, offset: 10 }],
  ])('reports the place of the issue in %s', async (sql, code, position) => {
    const { engine } = await openTestEngine();
    await expect(rowsOf(engine, sql)).rejects.toMatchObject({ code, issues: [{ code, position }] });
  });

  it('stops on interrupt and leaves the engine usable', async () => {
    const { engine } = await openTestEngine();
    const running = rowsOf(engine, 'SELECT count(*) FROM range(1000000) a, range(1000000) b').catch((error) => error);
    const poke = setInterval(() => engine.interrupt(), 20);
    expect(await running).toMatchObject({ code: 'QUERY_TIMEOUT' });
    clearInterval(poke);
    expect(await rowsOf(engine, 'SELECT 1')).toEqual([[1]]);
  });

  it('spills no more than it may', async () => {
    const { engine } = await openTestEngine({ memoryLimitMb: 100, maxTempMb: 20 });
    const sorted = rowsOf(
      engine,
      'SELECT max(r) FROM (SELECT hash(i) AS h, row_number() OVER (ORDER BY hash(i)) AS r FROM range(8000000) t(i))',
    );
    await expect(sorted).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
  });
});

describe('closing', () => {
  it('leaves no spill directory behind', async () => {
    const dir = await temporaryDirectory();
    const engine = await openEngine({ memoryLimitMb: 100, threads: 1, tempDir: dir });
    expect(await readdir(dir)).toHaveLength(1);
    await engine.close();
    expect(await readdir(dir)).toEqual([]);
  });
});
