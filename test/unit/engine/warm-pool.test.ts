import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { warmPool } from '../../../shared/data/duckdb/warm-pool.ts';
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
    const output = engine.outputPath('parquet');
    await engine.copyToParquet('SELECT * FROM "input ""1"""', { path: output });
    const reachable = join(tempDir, (await readdir(tempDir))[0]!, 'reachable');
    const links = (await readdir(reachable)).map((name) => join(reachable, name));
    expect(links).toHaveLength(2);
    await engines.giveBack(engine, LOCKS);
    expect(await readdir(reachable)).toEqual([]);

    const again = await engines.takeFor(LOCKS);
    expect(again).toBe(engine);
    await again.attach('second', [two]);
    await again.lock();
    expect(await rowsOf(again, 'SELECT * FROM second')).toEqual([[2]]);
    const names =
      'SELECT table_name FROM duckdb_tables() UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal';
    expect(await rowsOf(again, names)).toEqual([['second']]);
    for (const path of [one, two, output, ...links, join(reachable, '..', basename(one))]) {
      await expect(rowsOf(again, `SELECT * FROM read_parquet('${path}')`)).rejects.toMatchObject({ name: 'DataError' });
    }
    await expect(again.run("SET allowed_directories = ['/']")).rejects.toMatchObject({ code: 'SQL_ERROR' });
    await expect(again.copyToParquet('SELECT 1', { path: join(tempDir, 'x.parquet') })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await again.close();
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

  it('is left to work that locks it once it is locked', async () => {
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

  it('is closed if its lock allows files by their paths, if it is broken, or if two are kept', async () => {
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

    const three = [await engines.takeFor(LOCKS), await engines.takeFor(LOCKS), await engines.takeFor(LOCKS)];
    for (const each of three) await engines.giveBack(each, LOCKS);
    expect(await readdir(tempDir)).toHaveLength(2);
  });
});
