import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEngine } from '../../../../shared/data/duckdb/engine.ts';
import { convertToParquet } from '../../../../shared/data/files/read-file.ts';
import { COMPUTE_SIZES } from '../../../../shared/domains/pipelines/definition/compute.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'row-group-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROWS = 1_000_000;

it('reads a row group of a gigabyte in half the memory of the smallest function', async () => {
  const path = join(folder, 'one-group.parquet');
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const writer = await instance.connect();
  await writer.run(`
    COPY (SELECT i AS id, repeat(md5(i::VARCHAR), 32) AS text FROM range(${ROWS}) t(i))
    TO '${path}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${2 * ROWS})`);
  const groups = await writer.runAndReadAll(
    `SELECT count(DISTINCT row_group_id)::INT, sum(total_uncompressed_size)::BIGINT FROM parquet_metadata('${path}')`,
  );
  writer.closeSync();
  const [count, bytes] = groups.getRows()[0] as [number, bigint];
  expect(count).toBe(1);
  expect(bytes).toBeGreaterThan(1_000_000_000n);

  const engine = await openEngine({ memoryLimitMb: COMPUTE_SIZES.small / 2, threads: 2, tempDir: folder });
  const outPath = join(folder, 'read.parquet');
  expect(await convertToParquet(engine, { path, format: 'parquet' }, outPath)).toMatchObject({ rows: ROWS });
  expect(await engine.run(`SELECT sum(id)::VARCHAR, count(DISTINCT left(text, 32))::INT FROM '${outPath}'`)).toEqual([
    [String((ROWS * (ROWS - 1)) / 2), ROWS],
  ]);
  await engine.close();
});
