import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { AttachOptions, EngineOptions } from '../../../../shared/data/duckdb/engine-contract.ts';
import { type CopyEvent, NativeCopies, type VersionFile } from '../../../../shared/data/duckdb/native-copies.ts';
import { writeNativeCopy } from '../../../../shared/data/duckdb/native-copy.ts';
import { openTestEngine, rowsOf, temporaryDirectory } from './open-test-engine.ts';

const MB = 1024 * 1024;
const optionsIn = (tempDir: string): EngineOptions => ({ memoryLimitMb: 128, threads: 1, tempDir });
const beforePiece = async () => undefined;

/** Parquet files of the statements, and a native copy of all of them. */
async function copyOf(...statements: string[]) {
  const { engine, dir } = await openTestEngine();
  const files: { path: string; rows: number }[] = [];
  for (const [index, sql] of statements.entries()) {
    const path = join(dir, `${index}.parquet`);
    const { rows } = await engine.copyToParquet(sql, { path });
    files.push({ path, rows });
  }
  const native = join(dir, 'copy.duckdb');
  const bytes = await writeNativeCopy(files, native, { engine: optionsIn(dir), maxBytes: 100 * MB, beforePiece });
  expect(bytes).toBeGreaterThan(0);
  return { files: files.map(({ path }) => path), native };
}

/** The rows of statements over the table `t` in both forms, each in a locked engine of its own. */
async function bothForms(
  { files, native }: { files: string[]; native: string },
  statements: readonly string[],
  options: AttachOptions = {},
) {
  const forms: unknown[][] = [];
  for (const form of [{}, { nativeCopy: native }]) {
    const { engine } = await openTestEngine();
    await engine.attach('t', form.nativeCopy ? [] : files, { ...options, ...form });
    await engine.lock();
    const rows: unknown[] = [];
    for (const sql of statements) rows.push(await engine.query(sql, { limit: 10_000, maxBytes: 10 * MB }));
    forms.push(rows);
  }
  return { parquet: forms[0]!, native: forms[1]! };
}

const TYPES = `
  SELECT i, i::TINYINT AS tiny, i::SMALLINT AS small, i::BIGINT * 9000000000000 AS big,
    i::UTINYINT AS utiny, i::USMALLINT AS usmall, i::UINTEGER AS uint, i::UBIGINT * 180000000000000 AS ubig,
    (i::HUGEINT * 170141183460469231731687303715::HUGEINT) AS huge, i % 2 = 0 AS flag,
    i::DECIMAL(4,1) / 4 AS d4, (i / 7)::DECIMAL(9,3) AS d9, (i / 7)::DECIMAL(18,6) AS d18, (i * 12345.678901)::DECIMAL(38,10) AS d38,
    CASE i % 5 WHEN 0 THEN 'NaN'::DOUBLE WHEN 1 THEN 'Infinity' WHEN 2 THEN '-Infinity' WHEN 3 THEN -0.0 ELSE i / 3 END AS double,
    (i / 3)::FLOAT AS float, CASE WHEN i % 3 = 0 THEN NULL WHEN i % 3 = 1 THEN '' ELSE 'ä€😀' || i END AS text,
    DATE '1969-12-25' + i::INTEGER AS day, TIME '00:00:00.000001' + to_seconds(i * 100) AS clock,
    TIMESTAMP '1969-12-31 23:59:59.999999' + to_microseconds(i * 7) AS moment, TIMESTAMPTZ '2026-03-29 00:30:00+00' + to_minutes(i) AS instant,
    ('2026-01-01 00:00:00.' || lpad(i::VARCHAR, 9, '0'))::TIMESTAMP_NS AS nanos,
    ('00000000-0000-4000-8000-' || lpad(i::VARCHAR, 12, '0'))::UUID AS uuid, ('\\x00\\xFF' || i)::BLOB AS blob, to_days(i::INTEGER) AS span,
    CASE WHEN i % 4 = 0 THEN NULL ELSE [i, NULL, i * 2] END AS list, CASE WHEN i % 4 = 1 THEN NULL ELSE {'a': i, 'b': [i::VARCHAR, NULL], 'c': {'d': NULL::DATE}} END AS struct,
    MAP {'k' || i: i, 'z': NULL} AS map, [[i], [], NULL] AS nested, [{'x': i / 2, 'y': NULL::TIMESTAMPTZ}] AS structs,
    ('{"a":' || i || '}')::JSON AS json, NULL::DECIMAL(18,2) AS nothing
  FROM range(120) r(i)`;

describe('a native copy', () => {
  it('has the same columns, types and values as the Parquet files', async () => {
    const copy = await copyOf(TYPES);
    const { native, parquet } = await bothForms(copy, [
      'SELECT * FROM t ORDER BY i',
      'SELECT * FROM t',
      'SELECT i, isnan(double), signbit(double), isinf(double), octet_length(blob), typeof(huge), typeof(d38), typeof(instant) FROM t ORDER BY i',
    ]);
    expect(native).toEqual(parquet);
    expect((native[0] as { rowCount: number }).rowCount).toBe(120);
  });

  it('gives the same answers to conditions, groups, sorting and windows over every type', async () => {
    const copy = await copyOf(TYPES);
    const { native, parquet } = await bothForms(copy, [
      'SELECT flag, count(*), sum(big), avg(d18), min(text), max(moment), sum(huge), median(d9), count(DISTINCT text) FROM t GROUP BY flag ORDER BY flag',
      "SELECT i FROM t WHERE day BETWEEN DATE '1969-12-30' AND DATE '1970-01-05' ORDER BY i",
      "SELECT i FROM t WHERE instant >= TIMESTAMPTZ '2026-03-29 02:00:00+02' ORDER BY i DESC LIMIT 7",
      "SELECT i FROM t WHERE uuid = '00000000-0000-4000-8000-000000000042' OR blob = '\\x00\\xFF7'::BLOB ORDER BY i",
      'SELECT count(*) FROM t WHERE double > 10',
      'SELECT count(*), count(text), count(nothing) FROM t WHERE text IS NULL OR double IS NULL',
      'SELECT d38, sum(d38) OVER (ORDER BY i) FROM t ORDER BY double DESC NULLS LAST, i LIMIT 20',
      'SELECT unnest(list), struct.b[1], map_keys(map)[1] FROM t ORDER BY ALL LIMIT 50',
      'SELECT text FROM t ORDER BY text NULLS FIRST LIMIT 90',
      'SELECT list, count(*) FROM t GROUP BY list ORDER BY list',
    ]);
    expect(native).toEqual(parquet);
  });

  it('joins the files of several versions by the names of their columns', async () => {
    const copy = await copyOf(
      'SELECT i, i::INTEGER AS n, {a: 1} AS s FROM range(3) r(i)',
      "SELECT i + 10 AS i, 'later' AS added, (i / 2)::DOUBLE AS n FROM range(3) r(i)",
      'SELECT 2.5::DOUBLE AS n, 20 AS i WHERE true',
    );
    const { native, parquet } = await bothForms(copy, ['SELECT * FROM t ORDER BY i', 'SELECT * FROM t']);
    expect(native).toEqual(parquet);
  });

  it('keeps the order of rows over many pieces', async () => {
    const copy = await copyOf(
      'SELECT i, hash(i) % 1000 AS h FROM range(600_000) r(i)',
      'SELECT 7 AS i, 1::UBIGINT AS h',
    );
    const statements = [
      'SELECT * FROM t LIMIT 5 OFFSET 599998',
      'SELECT count(*), sum(i), sum(h) FROM t WHERE h < 500',
    ];
    const { native, parquet } = await bothForms(copy, statements);
    expect(native).toEqual(parquet);
  });

  it('shows of a restricted table only the permitted rows and columns, and cannot be reached otherwise', async () => {
    const copy = await copyOf("SELECT i, 'secret ' || i AS secret, i % 2 AS half FROM range(100) r(i)");
    const only = { columns: ['i', 'half'], where: '"#rows".half = $1', params: [1], limit: 1000 };
    const statements = ['SELECT * FROM t ORDER BY i'];
    const { native, parquet } = await bothForms(copy, statements, { only });
    expect(native).toEqual(parquet);
    const { engine } = await openTestEngine();
    await engine.attach('t', [], { only, nativeCopy: copy.native });
    await engine.lock();
    for (const sql of [
      `SELECT content FROM read_blob('${copy.native}')`,
      `FROM read_parquet('${copy.files[0]}')`,
      'FROM "#native_1".main.rows',
      `ATTACH '${copy.native}' AS again (READ_ONLY)`,
      'SELECT secret FROM t',
    ]) {
      await expect(engine.run(sql), sql).rejects.toThrow();
    }
  });

  it('is only read, in an engine that can open no other file', async () => {
    const copy = await copyOf('SELECT 1 AS a');
    const { engine } = await openTestEngine();
    await engine.attach('t', [], { nativeCopy: copy.native });
    await engine.lock();
    for (const sql of [
      'INSERT INTO "#native_1".main.rows VALUES (2)',
      'DROP TABLE "#native_1".main.rows',
      `FROM read_parquet('${copy.files[0]}')`,
    ]) {
      await expect(engine.run(sql), sql).rejects.toThrow();
    }
    expect(await rowsOf(engine, 'SELECT * FROM t')).toEqual([[1]]);
  });

  it('is not made of files whose columns hide the numbers of rows, nor beyond its size', async () => {
    const { engine, dir } = await openTestEngine();
    const made = async (sql: string, maxBytes: number) => {
      const path = join(dir, 'source.parquet');
      const { rows } = await engine.copyToParquet(sql, { path });
      const native = join(dir, 'copy.duckdb');
      return writeNativeCopy([{ path, rows }], native, { engine: optionsIn(dir), maxBytes, beforePiece });
    };
    expect(await made('SELECT 1 AS file_row_number', MB)).toBeUndefined();
    expect(await made('SELECT hash(i) AS h FROM range(1_000_000) r(i)', MB)).toBeUndefined();
    expect((await readdir(dir)).filter((name) => name.startsWith('copy'))).toEqual([]);
    expect(await made('SELECT 1 AS a', MB)).toBeGreaterThan(0);
  });

  it('is not made without space on the disk', async () => {
    const { engine, dir } = await openTestEngine();
    const path = join(dir, 'source.parquet');
    const { rows } = await engine.copyToParquet('SELECT hash(i) AS h FROM range(800_000) r(i)', { path });
    const script = join(dir, 'full.mjs');
    const module = join(import.meta.dirname, '../../../../shared/data/duckdb/native-copy.ts');
    // The limit of a file's size stands for a full disk: writing fails in the middle.
    await writeFile(
      script,
      `import { writeNativeCopy } from ${JSON.stringify(module)};
      process.on('SIGXFSZ', () => undefined);
      const made = await writeNativeCopy(${JSON.stringify([{ path, rows }])}, ${JSON.stringify(join(dir, 'copy.duckdb'))}, {
        engine: ${JSON.stringify(optionsIn(dir))}, maxBytes: 1e9, beforePiece: async () => undefined });
      console.log(made === undefined ? 'none' : 'made');`,
    );
    const limited = `ulimit -f 4096; exec ${JSON.stringify(process.execPath)} ${JSON.stringify(script)}`;
    const child = spawn('sh', ['-c', limited], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    await once(child, 'close');
    expect(output.trim()).toBe('none');
    expect((await readdir(dir)).filter((name) => name.startsWith('copy'))).toEqual([]);
  });
});

describe('the native copies of a function', () => {
  async function setup(maxBytes = 100 * MB) {
    const { engine, dir } = await openTestEngine();
    const events: CopyEvent['kind'][] = [];
    const local = new Map<string, string>();
    let nowMs = 0;
    const folder = join(dir, 'native');
    const natives = new NativeCopies({
      folder,
      maxBytes,
      engine: optionsIn(dir),
      pathsOf: async (files) => {
        const paths = files.flatMap(({ key }) => local.get(key) ?? []);
        return paths.length === files.length ? paths : undefined;
      },
      release: async () => undefined,
      report: ({ kind }) => void events.push(kind),
      now: () => nowMs,
    });
    const version = async (key: string, rows = 200_000): Promise<VersionFile[]> => {
      const path = join(dir, `${key}.parquet`);
      await engine.copyToParquet(`SELECT hash(i) AS h FROM range(${rows}) r(i)`, { path });
      local.set(key, path);
      return [{ key, sizeBytes: 2 * MB, rows }];
    };
    const ask = (files: VersionFile[], bytes = 2 * MB) => natives.during(async () => natives.find(files, bytes));
    const pass = (ms: number) => {
      nowMs += ms;
    };
    return { natives, version, ask, pass, events, local, folder };
  }

  it('are made of versions that are asked for repeatedly and are not small', async () => {
    const { natives, version, ask, events } = await setup();
    const [one, other] = [await version('one'), await version('other')];
    expect([await ask(one), await ask(other, 1000), await ask(other, 1000)]).toEqual([undefined, undefined, undefined]);
    await natives.makeWanted();
    expect(events).toEqual([]);
    expect(await ask(one)).toBeUndefined();
    await natives.makeWanted();
    expect(await ask(one)).toMatch(/\.duckdb$/);
    expect(await ask(other)).toBeUndefined();
    expect(await ask([...one, ...other])).toBeUndefined();
    expect(events).toEqual(['made']);
  });

  it('are made while no statement runs, and no statement waits for one', async () => {
    const { natives, version, ask } = await setup();
    const files = await version('one', 600_000);
    await ask(files);
    const { promise, resolve } = Promise.withResolvers<void>();
    const statement = natives.during(async () => {
      natives.find(files, 2 * MB);
      await promise;
    });
    const making = natives.makeWanted();
    expect(await ask(files)).toBeUndefined();
    resolve();
    await statement;
    await making;
    expect(await ask(files)).toBeDefined();
  });

  it('make room for each other, the least recently used first', async () => {
    const { natives, version, ask, events, folder } = await setup(5 * MB);
    const versions = [await version('1'), await version('2'), await version('3'), await version('4')];
    for (const files of versions) {
      await ask(files);
      await ask(files);
      await natives.makeWanted();
      await ask(versions[0]!);
    }
    expect(events.filter((kind) => kind === 'removed').length).toBeGreaterThan(0);
    expect(await ask(versions[0]!)).toBeDefined();
    expect(await ask(versions[1]!)).toBeUndefined();
    expect((await readdir(folder)).length).toBe(
      events.filter((kind) => kind === 'made').length - events.filter((kind) => kind === 'removed').length,
    );
  });

  it('go when a file of their version is gone, or when they are not used for an hour', async () => {
    const { natives, version, ask, pass, folder } = await setup();
    const [one, other] = [await version('one'), await version('other')];
    for (const files of [one, one, other, other]) await ask(files);
    await natives.makeWanted();
    expect(await readdir(folder)).toHaveLength(2);
    expect(await natives.removeGone(async () => true)).toEqual([]);
    expect(await natives.removeGone(async ({ key }) => key !== 'one')).toEqual(one);
    expect([await ask(one), await readdir(folder)]).toEqual([undefined, [expect.any(String)]]);
    pass(61 * 60 * 1000);
    await natives.removeGone(async () => true);
    expect(await readdir(folder)).toEqual([]);
  });

  it('are tried again later if the Parquet files have gone from the disk, or if one is broken', async () => {
    const { natives, version, ask, pass, local, events } = await setup();
    const files = await version('one');
    const path = local.get('one')!;
    const askTwice = async () => {
      await ask(files);
      await ask(files);
      await natives.makeWanted();
      return ask(files);
    };
    local.delete('one');
    expect(await askTwice()).toBeUndefined();
    local.set('one', path);
    expect(await askTwice()).toBeUndefined();
    pass(11 * 60 * 1000);
    expect(await askTwice()).toBeDefined();
    await natives.refuse(files);
    expect(await askTwice()).toBeUndefined();
    expect(events).toEqual(['failed', 'made', 'removed']);
  });

  it('a process that dies while it makes one leaves a file that is never attached', async () => {
    const { engine, dir } = await openTestEngine();
    const path = join(dir, 'source.parquet');
    const { rows } = await engine.copyToParquet('SELECT hash(i) AS h FROM range(1000) r(i)', { path });
    const folder = join(dir, 'native');
    await mkdir(folder);
    const module = (name: string) => join(import.meta.dirname, '../../../../shared/data/duckdb', name);
    const script = join(dir, 'dies.mjs');
    await writeFile(
      script,
      `import { NativeCopies } from ${JSON.stringify(module('native-copies.ts'))};
      const files = [{ key: 'one', sizeBytes: 9e6, rows: ${rows} }];
      let now = 0;
      const natives = new NativeCopies({ folder: ${JSON.stringify(folder)}, maxBytes: 1e9, engine: ${JSON.stringify(optionsIn(dir))},
        pathsOf: async () => {
          // A statement that never ends stops the copy before its rows.
          void natives.during(() => new Promise(() => undefined));
          return [${JSON.stringify(path)}];
        },
        report: () => console.log('made'), now: () => now });
      setInterval(() => undefined, 1000);
      natives.find(files, 9e6);
      natives.find(files, 9e6);
      console.log('begins');
      await natives.makeWanted();`,
    );
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    await vi.waitFor(async () => expect(await readdir(folder)).toContainEqual(expect.stringMatching(/\.partial$/)), {
      timeout: 60_000,
      interval: 5,
    });
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(output.trim()).toBe('begins');
    expect((await readdir(folder)).filter((name) => name.endsWith('.duckdb'))).toEqual([]);
  });
});

it('a broken native copy is an error of its own', async () => {
  const dir = await temporaryDirectory();
  const path = join(dir, 'broken.duckdb');
  await writeFile(path, 'no database');
  const { engine } = await openTestEngine();
  await expect(engine.attach('t', [], { nativeCopy: path })).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
});
