import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';
import { readFileStats, writtenFileStats } from '../../../../shared/data/tables/file-stats.ts';

let folder: string;
let engine: Engine;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'file-stats-'));
  engine = await openEngine({ memoryLimitMb: 512, threads: 2, tempDir: folder });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

let files = 0;

async function bothStats(sql: string, additional: string[] = []) {
  const path = join(folder, `rows-${++files}.parquet`);
  const written = await engine.copyToParquet(sql, { path, rowGroupSize: 2048, withBounds: true });
  return {
    written: writtenFileStats(written, written.columns, additional),
    read: await readFileStats(engine, path, written.columns, additional),
  };
}

describe('the bounds of a file', () => {
  const VALUES: Record<string, string> = {
    integers: 'i - 9000',
    'the least and the greatest integer':
      'CASE i % 3 WHEN 1 THEN -9223372036854775808 WHEN 2 THEN 9223372036854775807 END',
    'small decimals': '(i % 900)::DECIMAL(4, 1)',
    'large decimals': '(i / 3)::DECIMAL(38, 10)',
    dates: "DATE '1969-12-01' + (i % 500)::INTEGER",
    'dates before year 1 and after 9999': "CASE WHEN i = 7 THEN DATE '0044-03-15 (BC)' ELSE DATE '12020-01-01' END",
    'infinite dates': "CASE WHEN i = 7 THEN DATE 'infinity' ELSE DATE '-infinity' END",
    timestamps: "TIMESTAMP '1965-01-01 00:00:00.5' + to_microseconds(i * 123456789)",
    'infinite timestamps': "CASE WHEN i = 7 THEN TIMESTAMP 'infinity' ELSE TIMESTAMP '2020-01-01' END",
    instants: "(TIMESTAMP '1965-01-01' + to_microseconds(i * 123456789))::TIMESTAMPTZ",
    texts: `'ü"''\\, {=' || i`,
    'empty texts': "''",
    'texts with zero bytes': "'x' || chr(0) || i",
    'texts of a hundred characters': "repeat('x', 97) || (100 + i % 900)",
    'texts of more than a hundred characters': "CASE WHEN i = 7 THEN repeat('z', 200) ELSE 'a' || i END",
    'no values': 'NULL::VARCHAR',
    'few values': 'CASE WHEN i % 500 = 0 THEN i END',
    booleans: 'i % 2 = 0',
    fractions: "CASE WHEN i = 7 THEN 'nan'::DOUBLE ELSE i / 7 END",
    lists: '[i]',
    structs: "{'a': i}",
  };

  it.each(Object.entries(VALUES))('are the same from the writer as from the file: %s', async (_, sql) => {
    const { written, read } = await bothStats(`SELECT ${sql} AS "a ""b"".c" FROM range(5000) AS t(i)`);
    expect(written).toEqual(read);
  });

  it.each([
    ['a row group has no values', 'CASE WHEN i < 1000 THEN i END'],
    ['a text is long', "repeat('z', 200 + i::INTEGER)"],
    ['a text is long in bytes alone', "repeat('有', 100)"],
  ])('are unknown to the writer if %s', async (_, sql) => {
    const { written, read } = await bothStats(`SELECT ${sql} AS a FROM range(5000) AS t(i)`);
    expect([written, Object.keys(read)]).toEqual([undefined, ['a']]);
  });

  it('are those of the first columns and of the one that parts the rows', async () => {
    const columns = Array.from({ length: 40 }, (_, i) => `i + ${i} AS c${i}`).join(', ');
    const { written, read } = await bothStats(`SELECT ${columns} FROM range(10) AS t(i)`, ['c39']);
    expect(Object.keys(read)).toHaveLength(33);
    expect(written).toEqual(read);
  });

  it('has no values if there are no rows', async () => {
    const { written } = await bothStats('SELECT 1 AS a, 2 AS b WHERE false');
    expect(written).toEqual({ a: { nulls: 0 }, b: { nulls: 0 } });
  });
});
