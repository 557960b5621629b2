import { copyFile, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import { warmPool } from '../../../../shared/data/duckdb/warm-pool.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';
import { openTestEngine, rowsOf, temporaryDirectory } from './open-test-engine.ts';

it('opens each instance once, ahead or when it is asked for, and none knows of another', async () => {
  const tempDir = await temporaryDirectory();
  const engines = warmPool({ memoryLimitMb: 64, threads: 1, tempDir });
  engines.prepare();
  engines.prepare();
  const first = await engines.take('Europe/Berlin');
  // Each has a folder of its own.
  expect(await readdir(tempDir)).toHaveLength(1);
  await first.run('CREATE TABLE secrets AS SELECT 1 AS one');
  engines.prepare();
  const [second, third] = [await engines.take(), await engines.take()];
  expect(await readdir(tempDir)).toHaveLength(3);
  const zone = "SELECT current_setting('TimeZone') AS zone, (SELECT count(*) FROM duckdb_tables()) AS tables";
  expect(await rowsOf(first, zone)).toEqual([['Europe/Berlin', 1]]);
  expect(await rowsOf(second, zone)).toEqual([['UTC', 0]]);
  expect(await rowsOf(third, zone)).toEqual([['UTC', 0]]);
  for (const engine of [first, second, third]) await engine.close();
  await expect(engines.take('No/Where')).rejects.toMatchObject({ code: 'SQL_ERROR' });
  expect(await readdir(tempDir)).toEqual([]);
});

describe('an engine that is given back', () => {
  const LOCKS = { owner: 'run-1', locks: true };
  const UNLOCKED = { owner: 'run-1', locks: false };

  async function opened() {
    const tempDir = await temporaryDirectory();
    const engines = warmPool({ memoryLimitMb: 256, threads: 1, tempDir });
    onTestFinished(() => engines.close());
    return { engines, tempDir };
  }

  /** A Parquet file of one row, outside the directories of the engines. */
  async function fileOf(value: number): Promise<string> {
    const { engine, dir } = await openTestEngine();
    const path = join(dir, `${value}.parquet`);
    await engine.copyToParquet(`SELECT ${value} AS value`, { path });
    return path;
  }

  it('is used again by the same owner, and knows nothing of the work before', async () => {
    const { engines, tempDir } = await opened();
    const [one, two] = [await fileOf(1), await fileOf(2)];
    const engine = await engines.takeFor(LOCKS);
    await engine.attach('input "1"', [one]);
    await engine.attach('copied', [one], { only: { columns: ['value'] } });
    await engine.lock();
    await engine.run('CREATE TEMP TABLE early AS SELECT 1 AS value');
    await engine.run('CREATE TEMP VIEW "early view" AS SELECT 1 AS value');
    const copied: string[] = [];
    engine.onCopy((path) => copied.push(path));
    const output = engine.temporaryPath('parquet');
    await engine.copyToParquet('SELECT * FROM "input ""1"""', { path: output });
    const directory = join(tempDir, (await readdir(tempDir))[0]!);
    // The link of the table that was not copied, and the output.
    expect(await readdir(directory)).toHaveLength(2);
    await engines.giveBack(engine, LOCKS);
    expect(await readdir(directory)).toEqual([]);

    const again = await engines.takeFor(LOCKS);
    expect(again).toBe(engine);
    await again.attach('second', [two]);
    await again.lock();
    expect(await rowsOf(again, 'SELECT * FROM second')).toEqual([[2]]);
    const names =
      'SELECT table_name FROM duckdb_tables() UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal';
    expect(await rowsOf(again, names)).toEqual([['second']]);
    await copyFile(one, join(tempDir, 'outside.parquet'));
    await symlink(one, join(directory, 'symbolic.parquet'));
    for (const path of [one, two, `${directory}/../outside.parquet`, join(directory, 'symbolic.parquet')]) {
      await expect(rowsOf(again, `SELECT * FROM read_parquet('${path}')`)).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      });
    }
    await expect(again.run("SET allowed_directories = ['/']")).rejects.toMatchObject({ code: 'SQL_ERROR' });
    await expect(again.copyToParquet('SELECT 1', { path: join(tempDir, 'x.parquet') })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await expect(again.lock([join(tempDir, 'x.parquet')])).rejects.toThrow('temporary paths');
    await again.copyToParquet('SELECT 1', { path: again.temporaryPath('parquet') });
    expect(copied).toEqual([output]);
    await again.close();
  });

  it('drops whatever each work has made, however often it is reset', async () => {
    const { engines } = await opened();
    const engine = await engines.takeFor(LOCKS);
    await engine.lock();
    const made = [
      ['CREATE TABLE "a ""quoted"" name" AS SELECT 1 AS value'],
      [],
      ['CREATE VIEW same AS SELECT 1 AS value', 'CREATE TEMP TABLE same AS SELECT 2 AS value'],
      ['CREATE TABLE base AS SELECT 1 AS value', 'CREATE VIEW above AS SELECT * FROM base'],
      ['CREATE TEMP VIEW "a.b" AS SELECT 1 AS value', 'CREATE TABLE "a.b" (value INTEGER PRIMARY KEY)'],
    ];
    for (const statements of made) {
      for (const statement of statements) await engine.run(statement);
      await engines.giveBack(engine, LOCKS);
      expect(await engines.takeFor(LOCKS)).toBe(engine);
      const left =
        'SELECT table_name FROM duckdb_tables() UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal';
      expect(await engine.run(left)).toEqual([]);
    }
    await engine.close();
  });

  it('is kept after a large table, whose memory is free once it is dropped', async () => {
    const { engines } = await opened();
    const engine = await engines.takeFor(LOCKS);
    await engine.run('CREATE TABLE large AS SELECT hash(i) AS h, hash(-i) AS g FROM range(3000000) t(i)');
    await engines.giveBack(engine, LOCKS);
    expect(await engines.takeFor(LOCKS)).toBe(engine);
    await engine.close();
  });

  it('checks a text that it knows each time, and each other text by its own tree', async () => {
    const { engines } = await opened();
    const engine = await engines.takeFor(LOCKS);
    const run = vi.spyOn(engine, 'run');
    const parsed = () => run.mock.calls.filter(([statement]) => statement.includes('json_serialize_sql')).length;
    const text = 'SELECT x FROM input';
    const allowed = { tables: ['input'] };
    const first = await checkSelect(engine, text, allowed);
    await engines.giveBack(engine, LOCKS);
    expect(await engines.takeFor(LOCKS)).toBe(engine);
    expect(await checkSelect(engine, text, allowed)).toEqual(first);
    expect(parsed()).toBe(1);
    await expect(checkSelect(engine, text, { tables: ['other'] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (const other of ['SELECT x FROM Input2', 'DELETE FROM input', `${text}; ${text}`, `${text} UNION FROM input`]) {
      await expect(checkSelect(engine, other, allowed)).rejects.toThrow();
      await expect(checkSelect(engine, other, allowed)).rejects.toThrow();
    }
    expect(await checkSelect(engine, "SELECT x FROM input WHERE x = 'X'", allowed)).not.toEqual(
      await checkSelect(engine, "SELECT x FROM input WHERE x = 'x'", allowed),
    );
    expect(await checkSelect(engine, text, allowed)).toEqual(first);
    await engine.close();
  });

  it('knows the trees of some texts and parses the others again', async () => {
    const { engine } = await openTestEngine();
    const texts = Array.from({ length: 40 }, (_, i) => `SELECT ${i} AS n`);
    const trees = new Set<string>();
    for (const text of [...texts, ...texts]) trees.add(await engine.parseTree(text));
    expect(trees.size).toBe(40);
    const long = `SELECT ${Array.from({ length: 2000 }, (_, i) => `${i} AS c${i}`).join(', ')}`;
    expect(JSON.parse(await engine.parseTree(long))).toEqual(JSON.parse(await engine.parseTree(long)));
  });

  it('has one thread for light work, and all of them for other work', async () => {
    const tempDir = await temporaryDirectory();
    const engines = warmPool({ memoryLimitMb: 256, threads: 3, tempDir });
    onTestFinished(() => engines.close());
    const LIGHT = { ...LOCKS, isLight: true };
    const threadsOf = async (engine: Engine) => {
      const [[threads] = []] = await engine.run("SELECT current_setting('threads')");
      return Number(threads);
    };
    const open = await engines.takeFor({ ...UNLOCKED, isLight: true });
    expect(await threadsOf(open)).toBe(1);
    await engines.giveBack(open, UNLOCKED);
    expect(await engines.takeFor(UNLOCKED)).toBe(open);
    expect(await threadsOf(open)).toBe(3);
    await engines.giveBack(open, UNLOCKED);

    const light = await engines.takeFor(LIGHT);
    expect(light).toBe(open);
    await light.lock();
    await expect(light.useThreads(3)).rejects.toMatchObject({ code: 'SQL_ERROR' });
    expect(light.threads).toBe(1);
    await engines.giveBack(light, LIGHT);
    const other = await engines.takeFor(LOCKS);
    expect(other).not.toBe(light);
    expect(await threadsOf(other)).toBe(3);
    await other.lock();
    await engines.giveBack(other, LOCKS);

    // The engine with one thread is of use to light work only.
    expect(await engines.takeFor(LIGHT)).toBe(light);
    expect(await engines.takeFor(LIGHT)).toBe(other);
    expect([await threadsOf(light), await threadsOf(other)]).toEqual([1, 3]);
    for (const each of [other, light]) await engines.giveBack(each, LIGHT);
    expect(await engines.takeFor(LIGHT)).toBe(light);
    expect(await engines.takeFor(LOCKS)).toBe(other);
    await Promise.all([light.close(), other.close()]);
  });

  it('reaches no file that was attached by its path before', async () => {
    const { engines } = await opened();
    const one = await fileOf(1);
    const engine = await engines.takeFor(UNLOCKED);
    await engine.attach('input', [one]);
    await engines.giveBack(engine, UNLOCKED);
    expect(await engines.takeFor(LOCKS)).toBe(engine);
    await engine.lock();
    await expect(rowsOf(engine, `SELECT * FROM read_parquet('${one}')`)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await engine.close();
  });

  it('is not given to an owner that has waited while another one used it', async () => {
    const { engines } = await opened();
    await engines.giveBack(await engines.takeFor(LOCKS), LOCKS);
    const waiting = engines.takeFor({ owner: 'run-2', locks: true });
    const use = { owner: 'run-3', locks: true };
    const other = await engines.takeFor(use);
    await engines.giveBack(other, use);
    expect(await waiting).not.toBe(other);
    await (await waiting).close();
  });

  it('is closed before another owner gets one', async () => {
    const { engines, tempDir } = await opened();
    const engine = await engines.takeFor(LOCKS);
    await engines.giveBack(engine, LOCKS);
    const [directory] = await readdir(tempDir);
    const other = await engines.takeFor({ owner: 'run-2', locks: true });
    expect(other).not.toBe(engine);
    expect(await readdir(tempDir)).not.toContain(directory);

    const [late, later] = [await engines.takeFor(LOCKS), await engines.takeFor(LOCKS)];
    await engines.giveBack(other, { owner: 'run-2', locks: true });
    expect(await readdir(tempDir)).toHaveLength(2);
    for (const each of [late, later]) await engines.giveBack(each, LOCKS);
    expect(await readdir(tempDir)).toHaveLength(2);
    await engines.close();
    expect(await readdir(tempDir)).toEqual([]);
  });

  it('goes only to work that locks its engine, once it is locked', async () => {
    const { engines } = await opened();
    const first = await engines.takeFor(UNLOCKED);
    await engines.giveBack(first, UNLOCKED);
    expect(await engines.takeFor(LOCKS)).toBe(first);
    await first.lock();
    await engines.giveBack(first, LOCKS);
    const second = await engines.takeFor(UNLOCKED);
    expect(second).not.toBe(first);
    await engines.giveBack(second, UNLOCKED);
    expect(await engines.takeFor(LOCKS)).toBe(first);
    await first.close();
  });

  it('is closed if its lock allows files by their paths, if it is broken or large, or if two are kept', async () => {
    const { engines, tempDir } = await opened();
    const locked = await engines.takeFor(UNLOCKED);
    await locked.attach('input', [await fileOf(1)]);
    await locked.lock();
    await engines.giveBack(locked, UNLOCKED);
    expect(await readdir(tempDir)).toEqual([]);

    const broken = await engines.takeFor(LOCKS);
    await broken.run('BEGIN');
    await expect(broken.run("SELECT error('stop')")).rejects.toMatchObject({ code: 'SQL_ERROR' });
    await engines.giveBack(broken, LOCKS);
    expect(await readdir(tempDir)).toEqual([]);

    const holding = await engines.takeFor(LOCKS);
    // What the transaction may still need is not freed before its end.
    await holding.run('BEGIN; CREATE TABLE large AS SELECT hash(i) AS h, hash(-i) AS g FROM range(3000000) t(i)');
    await engines.giveBack(holding, LOCKS);
    expect(await readdir(tempDir)).toEqual([]);

    const lost = await engines.takeFor(LOCKS);
    await rm(join(tempDir, (await readdir(tempDir))[0]!), { recursive: true });
    await engines.giveBack(lost, LOCKS);
    const next = await engines.takeFor(LOCKS);
    expect(next).not.toBe(lost);
    await next.close();

    const three = [await engines.takeFor(LOCKS), await engines.takeFor(LOCKS), await engines.takeFor(LOCKS)];
    for (const each of three) await engines.giveBack(each, LOCKS);
    expect(await readdir(tempDir)).toHaveLength(2);
  });
});
