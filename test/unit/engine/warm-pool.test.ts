import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { warmPool } from '../../../shared/data/duckdb/warm-pool.ts';
import { rowsOf, temporaryDirectory } from './open-test-engine.ts';

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
