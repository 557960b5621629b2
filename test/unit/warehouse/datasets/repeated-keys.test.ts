import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';
import { repeatedKeys } from '../../../../shared/data/tables/repeated-keys.ts';
import { cases } from '../../../support/cases.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

let folder: string;
let engine: Engine;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'repeated-keys-'));
  engine = await openEngine({ memoryLimitMb: 512, threads: 2, tempDir: folder });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Columns of random values, of which some are equal though they are not written alike. */
const COLUMNS = [
  (values: number) => `(hash(i, 1) % ${values})::BIGINT`,
  (values: number) => `'key ' || hash(i, 2) % ${values}`,
  (values: number) =>
    `CASE hash(i, 3) % ${values} WHEN 0 THEN -0.0::DOUBLE WHEN 1 THEN 0.0 WHEN 2 THEN 'nan' ELSE hash(i, 3) % ${values} END`,
  (values: number) => `TIMESTAMP '2026-01-01' + to_seconds((hash(i, 4) % ${values})::BIGINT)`,
  (values: number) => `[hash(i, 5) % ${values}, NULL]`,
  (values: number) => `(hash(i, 6) % ${values})::DECIMAL(20, 4)`,
];

describe('the keys of several rows', () => {
  it('are all found, and the rows beside them are left alone, whether all rows are marked, too many twice, or none', async () => {
    for (let seed = 1; seed <= cases(20, 300); seed += 1) {
      const random = seededRandom(seed);
      const pick = (below: number) => Math.floor(random() * below);
      const rows = [1, 100, 5_000, 60_000][pick(4)]!;
      const width = 1 + pick(3);
      const first = pick(COLUMNS.length);
      const values = Math.max(1, Math.ceil((rows * [0.1, 1, 30][pick(3)]!) ** (1 / width)));
      const key = Array.from({ length: width }, (_, i) => `key "${i}"`);
      const named = key.map((name) => `"${name.replaceAll('"', '""')}"`);
      const list = named.map((name, i) => `${COLUMNS[(first + i) % COLUMNS.length]!(values)} AS ${name}`);
      await engine.run(
        `CREATE OR REPLACE TABLE input AS SELECT ${list.join(', ')}, i AS row FROM range(${rows}) AS t(i)`,
      );
      const [[expected] = []] = await engine.run(
        `SELECT coalesce(sum(n - 1), 0)::BIGINT FROM (SELECT count(*) AS n FROM input GROUP BY ${named.join(', ')})`,
      );
      const unrepeated = `SELECT row FROM input QUALIFY count(*) OVER (PARTITION BY ${named.join(', ')}) = 1`;
      for (const limits of [undefined, { rows, twice: 2 }, { rows: 0, twice: 0 }]) {
        const found = await repeatedKeys(engine, 'input', rows, key, limits);
        expect({ seed, ...found }).toMatchObject({ seed, nulls: 0, repeated: Number(expected) });
        if (found.repeated === 0) continue;
        const [[missed, wrong] = []] = await engine.run(
          `SELECT (SELECT count(*) FROM (SELECT row FROM ${found.from} ANTI JOIN ${found.isRepeated}) ANTI JOIN (${unrepeated}) USING (row)),
                  (SELECT count(*) FROM (SELECT row FROM ${found.from} SEMI JOIN ${found.isRepeated}) SEMI JOIN (${unrepeated}) USING (row))`,
        );
        expect({ seed, missed: Number(missed) }).toEqual({ seed, missed: 0 });
        // A bit that two keys share brings in a row of another key.
        expect(Number(wrong)).toBeLessThanOrEqual(rows / 20);
      }
    }
  });

  it('cannot be compared without values, which are counted', async () => {
    await engine.run(
      'CREATE OR REPLACE TABLE input AS SELECT nullif(i % 10, 3) AS a, nullif(i, 5) AS b FROM range(100) AS t(i)',
    );
    for (const limits of [undefined, { rows: 100, twice: 2 }, { rows: 0, twice: 0 }]) {
      expect(await repeatedKeys(engine, 'input', 100, ['a', 'b'], limits)).toMatchObject({ nulls: 11 });
    }
  });
});
