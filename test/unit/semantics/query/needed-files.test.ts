import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import type { QueryParameters } from '../../../../shared/data/duckdb/parameters.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';
import { readFileForm, readFileStats } from '../../../../shared/data/tables/file-stats.ts';
import type { TableInput } from '../../../../shared/domains/engine/protocol.ts';
import { neededFiles } from '../../../../shared/domains/semantics/queries/needed-files.ts';
import { cases } from '../../../support/cases.ts';
import { openTestEngine, rowsOf } from '../../data/engine/open-test-engine.ts';

const PARTS = ['2026-01', '2026-02', '2026-03', '2026-04'];

interface Bench {
  engine: Engine;
  tables: TableInput[];
  needed(sql: string, params?: QueryParameters, timezone?: string): Promise<string[]>;
  /** The answer over the given tables. */
  ask(tables: readonly TableInput[], sql: string, params?: QueryParameters): Promise<unknown>;
}

/** A dataset with a file for each month, another one, and one whose newest file has a column more and another type. */
async function openBench(): Promise<Bench> {
  const { engine, dir } = await openTestEngine();
  const write = async (sql: string) => {
    const path = `${dir}/${randomUUID()}.parquet`;
    const { rows, bytes, columns } = await engine.copyToParquet(sql, { path });
    const [stats, form] = [await readFileStats(engine, path, columns), await readFileForm(engine, path)];
    return { columns, file: { key: path, sizeBytes: bytes, rows, stats, form } };
  };
  const months = await Promise.all(
    PARTS.map((month, i) =>
      write(`SELECT ${i * 10} + n AS id, (${i} + n * 0.25)::DECIMAL(9,2) AS amount, 'k' || ${i} || n AS name,
          DATE '${month}-01' + n::INT AS day, TIMESTAMP '${month}-01 12:00:00' + n * INTERVAL 1 DAY AS placed,
          TIMESTAMPTZ '${month}-01 12:00:00Z' + n * INTERVAL 1 DAY AS instant, CASE WHEN ${i} = 2 THEN NULL ELSE n END AS gap
        FROM range(10) r(n)`),
    ),
  );
  const users = await write('SELECT n AS id, n % 3 AS team FROM range(40) r(n)');
  const old = await write('SELECT 1::INTEGER AS a UNION ALL SELECT 2');
  const next = await write(`SELECT 30::BIGINT AS a, 'x' AS b`);
  const later = await write(`SELECT 50::BIGINT AS a, 'y' AS b`);
  const tables: TableInput[] = [
    { name: 'Orders', columns: months[0]!.columns, files: months.map(({ file }) => file) },
    { name: 'users', columns: users.columns, files: [users.file] },
    { name: 'grown', columns: next.columns, files: [old.file, next.file, later.file] },
  ];
  const files = (of: readonly TableInput[], name: string) =>
    (of.find((table) => table.name === name)?.files ?? []).map(({ key }) =>
      String(tables.find((table) => table.name === name)!.files.findIndex((file) => file.key === key)),
    );
  const prune = async (sql: string, params: QueryParameters, timezone: string) => {
    const checked = await checkSelect(engine, sql, { tables: tables.map(({ name }) => name) });
    return neededFiles(checked, tables, { params, timezone });
  };
  return {
    engine,
    tables,
    async needed(sql, params = [], timezone = 'UTC') {
      const pruned = await prune(sql, params, timezone);
      return pruned.flatMap(({ name }) => files(pruned, name));
    },
    async ask(given, sql, params = []) {
      for (const { name, files: parts } of given)
        await engine.attach(
          name,
          parts.map(({ key }) => key),
        );
      return [await engine.describe(sql, params), await rowsOf(engine, sql, params)];
    },
  };
}

describe('the files that a statement needs', () => {
  it('are those whose bounds its conditions leave, and the first of each form', async () => {
    const { needed } = await openBench();
    const all = ['0', '1', '2', '3'];
    const cases: [sql: string, files: string[], params?: QueryParameters, timezone?: string][] = [
      [`SELECT * FROM orders WHERE day >= DATE '2026-04-01'`, ['0', '3']],
      [`SELECT * FROM orders WHERE day = '2026-02-03'`, ['0', '1']],
      [
        `SELECT * FROM orders o WHERE o.placed BETWEEN '2026-02-01' AND TIMESTAMP '2026-03-02 00:00:00'`,
        ['0', '1', '2'],
      ],
      ['SELECT * FROM orders WHERE 35 <= id', ['0', '3']],
      ['SELECT * FROM orders WHERE id IN (11, 12) AND amount < 100', ['0', '1']],
      ['SELECT * FROM orders WHERE amount > 4.5', ['0', '3']],
      [`SELECT * FROM orders WHERE "NAME" = 'k15'`, ['0', '1']],
      ['SELECT * FROM orders WHERE gap IS NULL', ['0', '2']],
      ['SELECT * FROM orders WHERE gap IS NOT NULL', ['0', '1', '3']],
      ['SELECT * FROM orders WHERE id = $1', ['0', '2'], [25]],
      ['SELECT * FROM orders WHERE day = $day', ['0', '2'], { day: '2026-03-02' }],
      ['SELECT * FROM orders WHERE day < $1', ['0'], [{ type: 'date', text: '2026-01-05' }]],
      ['SELECT * FROM orders WHERE placed > $1', ['0', '3'], [{ type: 'timestamp', text: '2026-04-05T00:00:00Z' }]],
      [`SELECT * FROM orders WHERE instant >= TIMESTAMPTZ '2026-04-01 00:00:00'`, ['0', '3']],
      [`SELECT * FROM orders WHERE instant >= '2026-04-01'`, all, [], 'Asia/Tokyo'],
      ['SELECT count(*) FROM orders LEFT JOIN users USING (id) WHERE amount > 4.5', ['0', '3', '0']],
      ['SELECT count(*) FROM users LEFT JOIN orders o ON o.id = users.id WHERE o.gap IS NULL', [...all, '0']],
      ['WITH late AS (SELECT * FROM orders WHERE id > 35) SELECT * FROM late WHERE id < 3', ['0', '3']],
      ['SELECT * FROM orders WHERE id < 3 UNION ALL SELECT * FROM orders WHERE id > 35', ['0', '3']],
      // What is not certain is read.
      ['SELECT * FROM orders WHERE id < 3 OR id > 35', all],
      ['SELECT * FROM orders WHERE NOT (id > 3 AND id < 9)', all],
      ['SELECT * FROM orders WHERE id = 1e1', all],
      [`SELECT * FROM orders WHERE id = '5.4'`, all],
      ['SELECT * FROM orders WHERE name = 5', all],
      ['SELECT * FROM orders WHERE id + 1 = 5', all],
      ['SELECT (SELECT max(id) FROM orders) FROM orders WHERE id < 3', all],
      ['WITH orders AS (SELECT 1 AS id) SELECT * FROM orders WHERE id = 1', []],
      ["SELECT * FROM orders a ASOF JOIN users b ON a.id >= b.id WHERE a.day = DATE '2026-02-03'", [...all, '0']],
      ['SELECT * FROM orders AS o(day, id) WHERE id < 3', all],
      ['SELECT * FROM orders USING SAMPLE 3 ROWS', all],
      ['SELECT * FROM grown WHERE a = 50', ['0', '1', '2']],
      ['SELECT * FROM grown WHERE a = 30', ['0', '1']],
    ];
    for (const [sql, files, params, timezone] of cases) expect(await needed(sql, params, timezone), sql).toEqual(files);
  });

  it('give the answer of all files, whatever is asked of them', async () => {
    const bench = await openBench();
    type Constant = [text: string, param?: unknown];
    const numbers: Constant[] = [['5'], ['25'], ['-3'], ['12.5'], ['2.255'], ['1e1'], [`'15'`], ['NULL']];
    const boundNumbers: Constant[] = [
      ['$1', 15],
      ['$1', '15'],
      ['$1', 7.25],
      ['$1', { type: 'decimal', text: '3.50' }],
    ];
    const times: Constant[] = [
      [`'2026-02-03'`],
      [`'2026-03-05 12:00:00'`],
      [`DATE '2026-02-09'`],
      [`TIMESTAMP '2026-03-01 12:00:00'`],
      [`TIMESTAMPTZ '2026-04-02 12:00:00+00'`],
      [`'2026-04-01'::DATE`],
    ];
    const boundTimes: Constant[] = [
      ['$1', '2026-02-04'],
      ['$1', { type: 'date', text: '2026-02-04' }],
      ['$1', { type: 'timestamp', text: '2026-02-04T12:00:00Z' }],
      ['$1', { type: 'timestamptz', text: '2026-02-04T12:00:00Z' }],
    ];
    const texts: Constant[] = [[`'k15'`], [`'k2'`], ['$1', 'k31'], ['5']];
    const pair = (names: string[], constants: Constant[]) =>
      fc.tuple(fc.constantFrom(...names), fc.constantFrom(...constants));
    const compared = fc.oneof(
      pair(['id', 'amount', 'gap', 'o.id', 'u.team', 'id + 0'], [...numbers, ...boundNumbers]),
      pair(['day', 'placed', 'instant', 'o.day'], [...times, ...boundTimes]),
      pair(['name', 'o.name'], texts),
      pair(['id', 'name', 'day', 'placed', 'amount'], [...numbers, ...boundNumbers, ...times, ...boundTimes, ...texts]),
    );
    const operator = fc.constantFrom(
      '=',
      '<',
      '<=',
      '>',
      '>=',
      '<>',
      'IN',
      'BETWEEN',
      'IS NULL',
      'IS NOT NULL',
      'turned',
    );
    const condition = fc.tuple(compared, operator).map(([[name, [text, param]], op]) => {
      const forms: Record<string, string> = {
        IN: `${name} IN (${text}, ${text})`,
        BETWEEN: `${name} BETWEEN ${text} AND ${text}`,
        'IS NULL': `${name} IS NULL`,
        'IS NOT NULL': `${name} IS NOT NULL`,
        turned: `${text} > ${name}`,
      };
      return { sql: forms[op] ?? `${name} ${op} ${text}`, param: op.startsWith('IS ') ? undefined : param };
    });
    const from = fc.constantFrom(
      'orders o, users u',
      'orders o LEFT JOIN users u ON u.id = o.id + 35',
      'users u LEFT JOIN orders o ON u.id = o.id',
      'orders o FULL JOIN users u ON u.id = o.id + 30',
      'orders o SEMI JOIN users u ON u.id = o.id',
      'orders o ANTI JOIN users u ON u.id = o.id + 35',
      'orders o POSITIONAL JOIN users u',
      'users u ASOF JOIN orders o ON u.id >= o.id',
    );
    let pruned = 0;
    await fc.assert(
      fc.asyncProperty(from, fc.array(condition, { minLength: 1, maxLength: 2 }), async (tables, conditions) => {
        const params = conditions
          .flatMap(({ param }) => (param === undefined ? [] : [param]))
          .slice(0, 1) as QueryParameters;
        const sql = `SELECT count(*) AS n, sum(o.id) AS s, max(o.name) AS m FROM ${tables} WHERE ${conditions.map((each) => each.sql).join(' AND ')}`;
        const whole = await bench.ask(bench.tables, sql, params).catch(() => undefined);
        // Statements that fail, as comparing a date with a number does, answer nothing.
        if (whole === undefined) return;
        const checked = await checkSelect(bench.engine, sql, { tables: ['Orders', 'users', 'grown'] });
        const needed = neededFiles(checked, bench.tables, { params, timezone: 'UTC' });
        if (needed.some(({ name, files }) => name === 'Orders' && files.length < 4)) pruned += 1;
        expect(await bench.ask(needed, sql, params), sql).toEqual(whole);
      }),
      { numRuns: cases(60, 300) },
    );
    // Some two dozen are, as the draw has it.
    expect(pruned).toBeGreaterThan(1);
  });

  it('have the columns of all, in their order and with their types', async () => {
    const { ask, tables, engine } = await openBench();
    for (const sql of [
      'SELECT * FROM grown WHERE a = 1',
      'SELECT *, typeof(a) AS t FROM grown WHERE a = 30',
      'SELECT b FROM grown WHERE a < 0',
    ]) {
      const checked = await checkSelect(engine, sql, { tables: ['grown'] });
      const needed = neededFiles(checked, tables, { params: [], timezone: 'UTC' });
      expect(needed[0]!.files.length, sql).toBeLessThan(3);
      const whole = await ask(tables, sql);
      expect(await ask(needed, sql), sql).toEqual(whole);
    }
  });
});
