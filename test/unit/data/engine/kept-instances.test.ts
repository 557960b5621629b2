import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import { type KeptEvent, KeptInstances, type KeptUse } from '../../../../shared/data/duckdb/kept-instances.ts';
import type { VersionFile } from '../../../../shared/data/duckdb/native-copies.ts';
import { writeNativeCopy } from '../../../../shared/data/duckdb/native-copy.ts';
import { writeResultFile } from '../../../../shared/data/duckdb/result-files.ts';
import { openTestEngine, rowsOf, temporaryDirectory } from './open-test-engine.ts';

const MB = 1024 * 1024;

interface Bounds {
  maxInstances?: number;
  maxBytes?: number;
  maxRssBytes?: number;
  memoryLimitMb?: number;
}

async function setup({ maxInstances = 6, maxBytes = 100 * MB, maxRssBytes = 1e12, memoryLimitMb = 256 }: Bounds = {}) {
  const { engine: writer, dir } = await openTestEngine();
  const tempDir = await temporaryDirectory();
  const events: KeptEvent[] = [];
  const local = new Map<string, string>();
  let nowMs = 0;
  const kept = new KeptInstances({
    ...{ maxInstances, maxBytes, maxRssBytes },
    engine: { memoryLimitMb, threads: 2, tempDir, maxTempMb: 64 },
    onDisk: async (files) => files.map(({ key }) => local.get(key)!),
    report: (event) => void events.push(event),
    now: () => nowMs,
  });
  onTestFinished(() => kept.closeWaiting());

  /** A version of a table with a Parquet file, and a native copy of it. */
  async function version(key: string, sql: string): Promise<{ files: VersionFile[]; nativeCopy: string }> {
    const path = join(dir, `${key}.parquet`);
    const { rows, bytes } = await writer.copyToParquet(sql, { path });
    const nativeCopy = join(dir, `${key}.duckdb`);
    const engine = { memoryLimitMb: 128, threads: 1, tempDir: dir };
    await writeNativeCopy([{ path, rows }], nativeCopy, { engine, maxBytes: 1e9, beforePiece: async () => undefined });
    local.set(key, path);
    return { files: [{ key, sizeBytes: bytes, rows }], nativeCopy };
  }

  /** Asks twice, so that there is an instance. */
  async function open(use: KeptUse): Promise<void> {
    for (let turn = 0; turn < 2; turn += 1) expect(await kept.take(use)).toBeUndefined();
    await kept.openWanted();
  }

  async function ask<T>(use: KeptUse, work: (engine: Engine) => Promise<T>): Promise<T> {
    const taken = await kept.take(use);
    if (!taken) throw new Error('there is no instance');
    let succeeded = false;
    try {
      const answer = await work(taken.engine);
      succeeded = true;
      return answer;
    } finally {
      await taken.end(succeeded);
    }
  }

  const facts = async (key = 'facts-1'): Promise<KeptUse> => ({
    workspaceId: 'w1',
    timezone: 'Europe/Berlin',
    tables: [{ name: 'facts', ...(await version(key, "SELECT i AS id, 'v' || i AS name FROM range(1000) t(i)")) }],
  });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  const kinds = () => events.map(({ kind }) => kind);
  return { kept, version, open, ask, facts, events, kinds, pass, tempDir, local };
}

const COUNT = 'SELECT count(*), sum(id)::BIGINT FROM facts';
const COUNTED = [[1000, 499500]];
const count = (engine: Engine) => rowsOf(engine, COUNT);

describe('an instance that is kept', () => {
  it('is opened after a second statement, and answers later ones like an instance of its own', async () => {
    const { kept, open, ask, facts, kinds, tempDir } = await setup();
    const native = await facts();
    const parquet = { ...native, tables: native.tables.map(({ name, files }) => ({ name, files })) };
    await kept.take(native);
    await kept.openWanted();
    expect(kinds()).toEqual([]);
    await kept.take(native);
    await kept.openWanted();
    expect(kinds()).toEqual(['opened']);
    for (let turn = 0; turn < 3; turn += 1) expect(await ask(native, count)).toEqual(COUNTED);
    const zone =
      "SELECT timestamptz '2026-01-01 00:00:00Z'::VARCHAR AS at, date_part('hour', timestamptz '2026-01-01 00:00:00Z')";
    expect(await ask(native, (engine) => rowsOf(engine, zone))).toEqual([['2026-01-01 01:00:00+01', 1]]);
    await open(parquet);
    expect(await ask(parquet, count)).toEqual(COUNTED);
    // Errors still say what and where.
    await expect(ask(parquet, (engine) => rowsOf(engine, 'SELECT nothing FROM facts'))).rejects.toMatchObject({
      code: 'SQL_ERROR',
      issues: [{ position: { line: 1, column: 8 } }],
    });
    await kept.closeWaiting();
    expect((await readdir(tempDir)).filter((name) => !name.startsWith('empty-'))).toEqual([]);
  });

  it('writes results in every format, and leaves no file or table of them', async () => {
    const { open, ask, facts, tempDir } = await setup();
    const use = await facts();
    await open(use);
    for (const format of ['csv', 'ndjson', 'parquet', 'arrow', 'parquet'] as const) {
      const path = await ask(use, async (engine) => {
        const output = engine.temporaryPath(format);
        const wanted = { format, limit: 10, maxBytes: MB, path: output };
        expect(await writeResultFile(engine, 'SELECT * FROM facts', wanted)).toMatchObject({ rowCount: 10 });
        await access(output);
        return output;
      });
      await expect(access(path)).rejects.toThrow();
      expect(
        await ask(use, (engine) => rowsOf(engine, "SELECT count(*) FROM duckdb_tables() WHERE database_name = 'temp'")),
      ).toEqual([[0]]);
    }
    const [folder] = (await readdir(tempDir)).filter((name) => name.startsWith('kept-'));
    expect(await readdir(join(tempDir, folder!))).toEqual([]);
  });

  it('is that of one workspace, time zone, and set of versions, and serves one statement at a time', async () => {
    const { kept, version, open, ask, facts } = await setup();
    const use = await facts();
    const other = { name: 'other', ...(await version('other-1', 'SELECT 1 AS one')) };
    await open(use);
    const [table] = use.tables;
    for (const different of [
      { ...use, workspaceId: 'w2' },
      { ...use, timezone: 'UTC' },
      { ...use, tables: [...use.tables, other] },
      { ...use, tables: [] },
      { ...use, tables: [{ ...table!, name: 'Facts' }] },
      { ...use, workspaceId: 'w2', tables: [{ ...table!, files: [{ ...table!.files[0]!, etag: 'other' }] }] },
    ]) {
      expect(await kept.take(different)).toBeUndefined();
    }
    const first = (await kept.take(use))!;
    expect(await kept.take(use)).toBeUndefined();
    expect(await rowsOf(first.engine, 'SELECT count(*) FROM facts')).toEqual([[1000]]);
    await first.end(true);
    // Its table is the only one that it can reach.
    await expect(ask(use, (engine) => rowsOf(engine, 'SELECT * FROM other'))).rejects.toMatchObject({
      code: 'SQL_ERROR',
    });
    await open(use);
    await expect(
      ask(use, (engine) => engine.run(`ATTACH '${other.nativeCopy}' AS again (READ_ONLY)`)),
    ).rejects.toThrow();
  });

  /** Statements that no check has seen, as through a hole in it. */
  const DENIED = [
    'CREATE TABLE left_over AS SELECT 1',
    'CREATE VIEW left_over AS SELECT 1',
    'CREATE OR REPLACE VIEW main.facts AS SELECT 1',
    'CREATE MACRO sum(a) AS 42',
    'CREATE OR REPLACE MACRO system.main.sum(a) AS 42',
    'CREATE SCHEMA left_over',
    'CREATE SEQUENCE left_over',
    "CREATE TYPE left_over AS ENUM ('a')",
    'INSERT INTO "#native_1".main.rows VALUES (1, \'x\')',
    'DELETE FROM "#native_1".main.rows',
    'DROP TABLE "#native_1".main.rows',
    'CREATE TABLE "#native_1".main.left_over AS SELECT 1',
    "ATTACH ':memory:' AS left_over",
    "ATTACH '/tmp/left-over.duckdb' AS left_over",
    "SET TimeZone = 'UTC'",
    'SET threads = 1',
    'RESET TimeZone',
    "SET memory_limit = '8GB'",
    "SET custom_user_agent = 'x'",
    'SET GLOBAL errors_as_json = false',
    'SET enable_external_access = true',
    'SET lock_configuration = false',
    'PRAGMA threads = 1',
    "CREATE SECRET left_over (TYPE http, BEARER_TOKEN 'x')",
    "CREATE PERSISTENT SECRET left_over (TYPE http, BEARER_TOKEN 'x')",
    'INSTALL httpfs',
    'LOAD httpfs',
    "LOAD '/tmp/left-over.duckdb_extension'",
    "COPY (SELECT 1) TO '/tmp/left-over.csv'",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM glob('/tmp/*')",
    "EXPORT DATABASE '/tmp/left-over'",
    'DETACH "#empty"',
    'DETACH temp',
  ];

  it('denies what would change it, whatever a statement is', async () => {
    const { open, ask, facts } = await setup();
    const use = await facts();
    for (const sql of DENIED) {
      if (sql === DENIED[0]) await open(use);
      await expect(
        ask(use, (engine) => engine.run(sql)),
        sql,
      ).rejects.toThrow(/./);
      await open(use);
      expect(await ask(use, count), sql).toEqual(COUNTED);
    }
  });

  /** Statements that the engine runs, all of which succeed. */
  const ALLOWED = [
    'CREATE TEMP TABLE left_over AS SELECT 1 AS a',
    'CREATE TEMP VIEW left_over AS SELECT 1 AS a',
    'CREATE OR REPLACE TEMP VIEW facts AS SELECT 1 AS id',
    'CREATE TEMP TABLE duckdb_tables AS SELECT 1 AS a',
    'CREATE TEMP MACRO sum(a) AS 42',
    'CREATE TEMP MACRO count(a) AS 42',
    'CREATE TEMP SEQUENCE left_over',
    "CREATE TEMP TYPE left_over AS ENUM ('a')",
    'PREPARE left_over AS SELECT 1',
    'SET VARIABLE left_over = 1',
    "SET search_path = 'temp'",
    'USE "#native_1"',
    'BEGIN',
    'BEGIN; CREATE TEMP TABLE left_over AS SELECT 1 AS a',
    'PRAGMA disable_optimizer',
    'LOAD json',
    'CHECKPOINT',
    'ANALYZE',
    'DROP VIEW facts',
  ];

  it('knows nothing of a statement that has succeeded', async () => {
    const { kept, open, ask, facts, kinds } = await setup();
    const use = await facts();
    await open(use);
    const seen = async (engine: Engine) => ({
      answer: await count(engine),
      catalog: await engine.run(
        `SELECT * FROM (
          SELECT 'table', table_name FROM duckdb_tables() UNION ALL
          SELECT 'view', view_name FROM duckdb_views() WHERE NOT internal UNION ALL
          SELECT 'function', function_name FROM duckdb_functions() WHERE NOT internal UNION ALL
          SELECT 'sequence', sequence_name FROM duckdb_sequences() UNION ALL
          SELECT 'type', type_name FROM duckdb_types() WHERE NOT internal UNION ALL
          SELECT 'statement', name FROM duckdb_prepared_statements() UNION ALL
          SELECT 'variable', name FROM duckdb_variables() UNION ALL
          SELECT 'database', database_name FROM duckdb_databases()) ORDER BY ALL`,
      ),
      settings: await engine.run('SELECT name, value FROM duckdb_settings() ORDER BY name'),
    });
    const before = await ask(use, seen);
    expect(before.catalog).toEqual([
      ...['#empty', '#native_1', 'system', 'temp'].map((name) => ['database', name]),
      ...[
        ['table', 'rows'],
        ['view', 'facts'],
      ],
    ]);
    for (const sql of ALLOWED) {
      await ask(use, (engine) => engine.run(sql));
      expect(await ask(use, seen), sql).toEqual(before);
    }
    // All of it was one instance.
    expect(kinds()).toEqual(['opened']);
    await kept.closeWaiting();
  });

  it('is closed if a statement has changed what is shared', async () => {
    const { open, ask, facts, kinds, kept } = await setup();
    const use = await facts();
    for (const sql of [
      'DETACH "#native_1"',
      'CALL enable_logging()',
      `ATTACH '${use.tables[0]!.nativeCopy}' AS again (READ_ONLY)`,
    ]) {
      await open(use);
      await ask(use, (engine) => engine.run(sql));
      expect(await kept.take(use), sql).toBeUndefined();
      expect(kinds().at(-1)).toBe('closed');
    }
    await open(use);
    expect(await ask(use, count)).toEqual(COUNTED);
  });

  it('is closed if a statement fails, is stopped, or needs too much memory', async () => {
    const { open, ask, facts, kept, kinds } = await setup({ memoryLimitMb: 32 });
    const use = await facts();
    const endings: [string, (engine: Engine) => Promise<unknown>][] = [
      ['SQL_ERROR', (engine) => rowsOf(engine, "SELECT CAST('x' AS INTEGER) FROM facts")],
      [
        'QUERY_TIMEOUT',
        async (engine) => {
          const timer = setInterval(() => engine.interrupt(), 5);
          try {
            await rowsOf(engine, 'SELECT count(*) FROM range(100_000_000_000) t(i) WHERE hash(i) = 1');
          } finally {
            clearInterval(timer);
          }
        },
      ],
      ['OUT_OF_MEMORY', (engine) => rowsOf(engine, 'SELECT list(hash(i)) FROM range(100_000_000) t(i)')],
      [
        'RESULT_TOO_LARGE',
        (engine) => engine.query('SELECT * FROM facts a, facts b', { limit: 1_000_000, maxBytes: 1000 }),
      ],
    ];
    for (const [code, work] of endings) {
      await open(use);
      await expect(ask(use, work), code).rejects.toMatchObject({ code });
      expect(kinds().at(-1), code).toBe('closed');
      expect(await kept.take(use), code).toBeUndefined();
    }
    await open(use);
    expect(await ask(use, count)).toEqual(COUNTED);
  });

  it('leaves nothing broken if its process is killed during a statement', async () => {
    const { open, ask, facts, tempDir } = await setup();
    const use = await facts();
    const module = join(import.meta.dirname, '../../../../shared/data/duckdb/kept-instances.ts');
    const script = join(tempDir, 'dies.mjs');
    await writeFile(
      script,
      `import { KeptInstances } from ${JSON.stringify(module)};
      const use = ${JSON.stringify(use)};
      const kept = new KeptInstances({ maxInstances: 6, maxBytes: 1e8, maxRssBytes: 1e12, now: Date.now,
        engine: { memoryLimitMb: 256, threads: 2, tempDir: ${JSON.stringify(tempDir)}, maxTempMb: 64 },
        onDisk: async () => [], report: () => undefined });
      for (let turn = 0; turn < 2; turn += 1) await kept.take(use);
      await kept.openWanted();
      const { engine } = await kept.take(use);
      console.log((await engine.query(${JSON.stringify(COUNT)}, { limit: 1, maxBytes: 1000 })).rowsJson);
      await engine.query('SELECT count(*) FROM facts, range(100_000_000_000) t(i) WHERE hash(i) = 1', { limit: 1, maxBytes: 1000 });`,
    );
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = await once(child.stdout, 'data');
    expect(JSON.parse(String(said))).toEqual(COUNTED);
    child.kill('SIGKILL');
    await once(child, 'close');
    // The next process has the same disk.
    await open(use);
    expect(await ask(use, count)).toEqual(COUNTED);
  });

  it('serves on after an answer that was cut off', async () => {
    const { open, ask, facts, kinds } = await setup();
    const use = await facts();
    await open(use);
    for (let turn = 0; turn < 3; turn += 1) {
      const cut = (engine: Engine) => engine.query('SELECT * FROM facts a, facts b', { limit: 5, maxBytes: MB });
      expect(await ask(use, cut)).toMatchObject({ rowCount: 5, truncated: true });
      expect(await ask(use, count)).toEqual(COUNTED);
    }
    expect(kinds()).toEqual(['opened']);
  });
});

describe('the instances that are kept', () => {
  it('end with a version: when it is replaced, its copy removed, or its files gone', async () => {
    const { kept, open, ask, facts, kinds } = await setup();
    const [one, two] = [await facts('facts-1'), await facts('facts-2')];
    await open(one);
    expect(await kept.take({ ...two, workspaceId: 'w2' })).toBeUndefined();
    expect(kinds()).toEqual(['opened']);
    expect(await kept.take(two)).toBeUndefined();
    expect(kinds()).toEqual(['opened', 'closed']);

    await open(one);
    await kept.closeReading(two.tables[0]!.nativeCopy!);
    expect(await ask(one, count)).toEqual(COUNTED);
    await kept.closeReading(one.tables[0]!.nativeCopy!);
    expect(kinds().at(-1)).toBe('closed');

    await open(one);
    expect(await kept.closeGone(async () => true)).toEqual([]);
    const taken = (await kept.take(one))!;
    expect(await kept.closeGone(async ({ key }) => key !== 'facts-1')).toEqual(one.tables[0]!.files);
    // A statement that runs ends first.
    expect(await count(taken.engine)).toEqual(COUNTED);
    expect(kinds().at(-1)).toBe('opened');
    await taken.end(true);
    expect(kinds().at(-1)).toBe('closed');
    expect(await kept.take(one)).toBeUndefined();
  });

  it('are bounded in number, in memory, and in time without a statement', async () => {
    const { kept, open, ask, facts, events, kinds, pass } = await setup({ maxInstances: 2 });
    const uses = [
      await facts('a'),
      { ...(await facts('b')), workspaceId: 'w2' },
      { ...(await facts('c')), workspaceId: 'w3' },
    ];
    for (const use of uses) await open(use);
    await kept.take(uses[0]!);
    expect(events.at(-1)).toMatchObject({ kind: 'opened', instances: 2 });
    expect(kinds()).toEqual(['opened', 'opened', 'closed', 'opened']);
    pass(4 * 60_000);
    expect(await ask(uses[2]!, count)).toEqual(COUNTED);
    pass(2 * 60_000);
    await kept.closeUnused();
    expect(events.at(-1)).toMatchObject({ kind: 'closed', workspaceId: 'w2', instances: 1 });
    expect(await ask(uses[2]!, count)).toEqual(COUNTED);
  });

  it('are not kept where they hold too much memory, and are tried again later', async () => {
    for (const bound of [{ maxBytes: 1 }, { maxRssBytes: 1 }]) {
      const { kept, ask, facts, kinds, pass } = await setup(bound);
      const use = await facts();
      for (let turn = 0; turn < 5; turn += 1) {
        const taken = await kept.take(use);
        await taken?.end(true);
        await kept.openWanted();
      }
      expect(kinds().filter((kind) => kind === 'closed')).toHaveLength(1);
      await expect(ask(use, count)).rejects.toThrow('no instance');
      pass(10 * 60_000);
      await kept.take(use);
      await kept.take(use);
      await kept.openWanted();
      expect(kinds().filter((kind) => kind === 'closed')).toHaveLength(2);
    }
  });

  it('count the blocks that they hold', async () => {
    const { version, open, ask, events, kept } = await setup();
    const large = await version('large', 'SELECT hash(i) AS h, hash(-i) AS g FROM range(1_000_000) t(i)');
    const use = { workspaceId: 'w1', timezone: 'UTC', tables: [{ name: 'large', ...large }] };
    await open(use);
    await ask(use, (engine) => rowsOf(engine, 'SELECT count(DISTINCT h), max(g) FROM large'));
    await ask(use, (engine) => rowsOf(engine, 'SELECT 1 FROM large LIMIT 1'));
    const taken = await kept.take({ ...use, workspaceId: 'w2' });
    expect(taken).toBeUndefined();
    await kept.closeWaiting();
    const [{ bytes }] = events.filter(({ kind }) => kind === 'opened') as [KeptEvent];
    expect(bytes).toBeLessThan(2 * MB);
    expect(events.at(-1)).toMatchObject({ kind: 'closed', instances: 0, bytes: 0 });
  });

  it('are none where a native copy or a file cannot be read', async () => {
    const { kept, facts, kinds, local } = await setup();
    const use = await facts();
    const broken = { ...use, tables: [{ ...use.tables[0]!, nativeCopy: '/tmp/there-is-none.duckdb' }] };
    for (let turn = 0; turn < 3; turn += 1) expect(await kept.take(broken)).toBeUndefined();
    await kept.openWanted();
    expect(kinds()).toEqual(['failed']);
    for (let turn = 0; turn < 3; turn += 1) expect(await kept.take(broken)).toBeUndefined();
    await kept.openWanted();
    expect(kinds()).toEqual(['failed']);
    // A file that has gone meanwhile is an error of the statement that fetches it, on an instance of its own.
    const parquet = { ...use, tables: [{ name: 'facts', files: use.tables[0]!.files }] };
    for (let turn = 0; turn < 2; turn += 1) await kept.take(parquet);
    await kept.openWanted();
    local.set('facts-1', '/tmp/there-is-none.parquet');
    const taken = await kept.take(parquet);
    await taken?.end(false);
    expect(kinds()).toEqual(['failed', 'opened', 'closed']);
  });
});
