import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeNativeCopy } from '../../../../shared/data/duckdb/native-copy.ts';
import { analyze, emit, type Scope } from '../../../../shared/data/expressions/index.ts';
import { openTestEngine, rowsOf } from './open-test-engine.ts';

/** Times over four thousand years, at both sides of midnights and of new years, and those that have no parts. */
const TIMES = `
  SELECT i, CASE i WHEN 0 THEN NULL WHEN 1 THEN 'infinity' WHEN 2 THEN '-infinity' ELSE seen END::TIMESTAMP AS seen,
    CASE i WHEN 0 THEN NULL WHEN 1 THEN 'infinity' WHEN 2 THEN '-infinity'
      ELSE make_timestamptz(epoch_us(seen)) END::TIMESTAMPTZ AS "at",
    CASE i WHEN 0 THEN NULL WHEN 1 THEN 'infinity' WHEN 2 THEN '-infinity' ELSE seen::DATE END::DATE AS day
  FROM (
    SELECT i, CASE i % 3
        WHEN 0 THEN TIMESTAMP '0001-01-01' + to_microseconds((hash(i) % 126227808000000000)::BIGINT)
        WHEN 1 THEN make_timestamp(1600 + i % 500, 1 + i % 12, 1, 0, 0, 0) - to_microseconds(i % 2)
        ELSE TIMESTAMP '1969-12-31 23:59:59.999999' + to_microseconds((hash(i) % 3600000000)::BIGINT) END AS seen
    FROM range(20000) r(i))`;

const SCOPE: Scope = {
  tables: [
    {
      id: 'times',
      alias: 'times',
      fields: [
        { id: 'seen', name: 'seen', dataType: 'datetime' },
        { id: 'at', name: 'at', dataType: 'datetime' },
        { id: 'day', name: 'day', dataType: 'date' },
      ],
    },
  ],
  measures: [],
};

function sqlOf(text: string): string {
  const { valid, diagnostics } = analyze(text, SCOPE, { purpose: 'row' });
  if (!valid) throw new Error(JSON.stringify(diagnostics));
  const emission = emit(valid.tree, {
    dialect: 'duckdb',
    columnOf: ({ field }) => ({ table: 't', column: field, ...(field === 'seen' && { stored: 'timestamp' as const }) }),
    now: new Date('2026-11-30T00:00:00Z'),
  });
  if (emission.kind !== 'sql') throw new Error(JSON.stringify(emission));
  return emission.sql;
}

/** Engines with the table `t` as a Parquet file, and as a native copy of it. */
async function bothForms() {
  const { engine, dir } = await openTestEngine();
  const path = join(dir, 'times.parquet');
  const { rows } = await engine.copyToParquet(TIMES, { path });
  const native = join(dir, 'copy.duckdb');
  await writeNativeCopy([{ path, rows }], native, {
    engine: { memoryLimitMb: 128, threads: 1, tempDir: dir },
    maxBytes: 100 * 1024 * 1024,
    beforePiece: async () => undefined,
  });
  const [parquet, copied] = [await openTestEngine(), await openTestEngine()];
  await parquet.engine.attach('t', [path]);
  await copied.engine.attach('t', [], { nativeCopy: native });
  const engines = [parquet.engine, copied.engine];
  for (const each of engines) {
    await each.run("SET TimeZone = 'America/Sao_Paulo'");
    await each.lock();
  }
  return engines;
}

const UTC = { seen: 'seen', at: `("at" AT TIME ZONE 'UTC')`, day: 'CAST(day AS TIMESTAMP)' };

describe('the short forms of times', () => {
  it("are equal to the engine's own, from Parquet files and from native copies", async () => {
    const units = ['day', 'week', 'month', 'quarter', 'year'];
    const truncated = (['seen', 'at', 'day'] as const).flatMap((column) =>
      units.map((unit) => [
        `DATE_TRUNC("${unit}", [${column}])`,
        `CAST(date_trunc('${unit}', ${UTC[column]}) AS DATE)`,
      ]),
    );
    const clocks = ['second', 'minute', 'hour'].map((unit) => [
      `DATE_TRUNC("${unit}", [at])`,
      `CASE WHEN isfinite("at") THEN date_trunc('${unit}', ${UTC.at}) AT TIME ZONE 'UTC' END`,
    ]);
    const parts = ['year', 'month', 'hour'].map((part) => [`${part.toUpperCase()}([at])`, `${part}(${UTC.at})`]);
    const bound = "DATETIME '1969-12-31 23:59:59.5'";
    const instant = "TIMESTAMPTZ '1969-12-31 23:59:59.5+00'";
    const stored = "(seen AT TIME ZONE 'UTC')";
    const compared = [
      ...['=', '<>', '<', '<=', '>', '>='].map((op) => [`[seen] ${op} ${bound}`, `${stored} ${op} ${instant}`]),
      [
        `[seen] BETWEEN DATE '1969-01-01' AND ${bound}`,
        `${stored} BETWEEN TIMESTAMPTZ '1969-01-01 00:00:00+00' AND ${instant}`,
      ],
      ['[seen] = [at]', `${stored} = "at"`],
      ['[at] < [seen]', `"at" < ${stored}`],
    ];
    const engines = await bothForms();
    for (const [text, own] of [...truncated, ...clocks, ...parts, ...compared]) {
      const statement = `SELECT count(*), count(x), count(*) FILTER (x IS DISTINCT FROM y)
        FROM (SELECT (${sqlOf(text!)}) AS x, ${own} AS y FROM t${own!.startsWith('CASE') ? ' WHERE "at" IS NULL OR isfinite("at")' : ''})`;
      const parquet = await rowsOf(engines[0]!, statement);
      const native = await rowsOf(engines[1]!, statement);
      expect(native, text).toEqual(parquet);
      expect(parquet![0]!.slice(1), text).toEqual([expect.any(Number), 0]);
      expect(Number(parquet![0]![1]), text).toBeGreaterThan(19_000);
    }
  });

  it('of conditions on stored times let the engine leave out row groups', async () => {
    const [parquet] = await bothForms();
    const where = sqlOf("[seen] >= DATETIME '2999-01-01 00:00'");
    const plan = await parquet!.run(`EXPLAIN SELECT count(*) FROM t WHERE ${where}`);
    expect(JSON.stringify(plan)).toMatch(/Filters:[^┐]*seen\s*>=/);
  });
});
