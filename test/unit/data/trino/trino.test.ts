import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineTypeOf } from '../../../../shared/data/duckdb/column-types.ts';
import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import { quoteLiteral } from '../../../../shared/data/duckdb/quoting.ts';
import { compileRecipe } from '../../../../shared/data/recipe/compile.ts';
import { emitDuckDb } from '../../../../shared/data/recipe/duckdb.ts';
import { OPS, type Op } from '../../../../shared/data/recipe/ops.ts';
import { bindTemplates } from '../../../../shared/data/sql/templates.ts';
import { AGGREGATES } from '../../../../shared/data/trino/aggregate-functions.ts';
import { FUNCTIONS } from '../../../../shared/data/trino/calls.ts';
import { castTo, WHITE } from '../../../../shared/data/trino/casts.ts';
import { SPACES } from '../../../../shared/data/trino/text-functions.ts';
import { WINDOW_FUNCTIONS } from '../../../../shared/data/trino/windows.ts';
import { EXPRESSIONS } from './expressions.ts';
import { RECIPES, STAYING_RECIPES } from './recipes.ts';
import { EDGES, STATEMENTS, STAYING, TEXTS } from './statements.ts';
import { type Bench, COLUMNS, moved, openBench } from './trino-setup.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const values = { params: { least: 2 } };

/** The query of a moved statement, without the columns that are put around it. */
const within = (sql: string) =>
  /FROM \((.*)\) AS result/s.exec(sql)![1]!.replaceAll(SPACES, '<spaces>').replaceAll(WHITE, '<white>');

describe('an expression for Athena', () => {
  it.each(EXPRESSIONS)('is %s in the words of Trino, with the same value', async (duckdb, trino) => {
    const { sql } = moved(await bench.portable({ sql: `SELECT ${duckdb} AS x FROM orders` }));
    expect(within(sql)).toBe(`SELECT ${trino} AS "x" FROM "orders" AS "orders"`);
    await bench.sameRows({ sql: `SELECT ${duckdb} AS x FROM orders` }, sql);
  });
});

describe('a text that becomes a value', () => {
  it.each(['integer', 'double', 'decimal(10,2)', 'boolean', 'date', 'timestamp'])(
    'is the %s that DuckDB reads, or fails the statement',
    async (type) => {
      const { duckdb, trino } = bench;
      const value = async (engine: Engine, sql: string, text: string) => {
        const quoted = quoteLiteral(text);
        const rows = await engine.run(
          `SELECT CAST(v AS VARCHAR) FROM (SELECT ${sql} AS v FROM (SELECT ${quoted} AS x FROM range(1)))`,
        );
        return rows[0]![0];
      };
      for (const lenient of [true, false]) {
        const cast = castTo({ sql: 'x', type: 'string' }, type, lenient)!;
        for (const text of TEXTS) {
          const read = value(trino, cast.sql, text).catch(() => 'fails');
          const wanted = value(duckdb, `${lenient ? 'TRY_CAST' : 'CAST'}(x AS ${engineTypeOf(type)})`, text).catch(
            () => 'fails',
          );
          const [made, meant] = await Promise.all([read, wanted]);
          if (made !== 'fails') expect([text, made]).toEqual([text, meant]);
        }
      }
    },
  );
});

describe('a statement for Athena', () => {
  it.each(STATEMENTS)('has %s, with the same rows', async (_title, duckdb, trino) => {
    const { sql } = moved(await bench.portable({ sql: duckdb }));
    expect(within(sql)).toBe(trino);
    await bench.sameRows({ sql: duckdb }, sql);
  });

  it.each(EDGES)('gives the same rows: %s', async (sql) => {
    await bench.sameRows({ sql }, moved(await bench.portable({ sql })).sql);
  });

  it.each(STAYING)('stays on DuckDB: %s', async (sql, message) => {
    expect(await bench.portable({ sql })).toMatchObject({
      moves: false,
      reasons: expect.arrayContaining([expect.objectContaining({ message })]),
    });
  });

  it('reports every reason with its place', async () => {
    expect(await bench.portable({ sql: 'SELECT hash(id) AS h,\n  list_value(title) FROM orders' })).toEqual({
      moves: false,
      reasons: [
        { message: 'The function hash has no counterpart in Athena.', position: { line: 1, column: 8, offset: 7 } },
        {
          message: 'The function list_value has no counterpart in Athena.',
          position: { line: 2, column: 3, offset: 24 },
        },
      ],
    });
  });

  it('has the columns that DuckDB gives it, by name and by type', async () => {
    const made = moved(
      await bench.portable({ sql: 'SELECT sum(id), 1 AS one, day AS "A day" FROM orders GROUP BY day' }),
    );
    expect(made.columns).toEqual([
      { name: 'sum(id)', type: 'decimal(38,0)' },
      { name: 'one', type: 'integer' },
      { name: 'A day', type: 'date' },
    ]);
    expect(made.sql).toMatch(
      /^SELECT CAST\(c0 AS decimal\(38,0\)\) AS "sum\(id\)", CAST\(c1 AS bigint\) AS "one", CAST\(c2 AS date\) AS "A day" FROM/,
    );
  });

  it('keeps any value a value', async () => {
    const hostile = `'); DROP TABLE x; -- \\' "`;
    const config = { sql: 'SELECT id FROM orders WHERE title = {{ params.t }} OR id = {{ params.n }}' };
    const { sql } = moved(await bench.portable(config, { params: { t: hostile, n: 1.5 } }));
    expect(within(sql)).toBe(
      `SELECT "orders"."id" AS "id" FROM "orders" AS "orders" WHERE (("orders"."title" = '''); DROP TABLE x; -- \\'' "') OR ("orders"."id" = 1.5E0))`,
    );
  });

  it('has an example of every function that moves', () => {
    const texts = [...EXPRESSIONS, ...STATEMENTS, ...STAYING].flat().join('\n');
    const all = Object.entries<readonly object[]>({ ...FUNCTIONS, ...AGGREGATES }).filter(([name]) =>
      /^[a-z]/.test(name),
    );
    const used = new Set(all.filter(([name]) => texts.includes(`${name}(`)).map(([, sayings]) => sayings));
    // `count(*)` and LIKE … ESCAPE have no name in a text.
    const unnamed = ['count_star', 'like_escape'];
    expect(
      all.filter(([name, sayings]) => !used.has(sayings) && !unnamed.includes(name)).map(([name]) => name),
    ).toEqual([]);
  });
});

describe('the documentation', () => {
  it('names every function that moves', () => {
    const text = readFileSync(join(import.meta.dirname, '../../../../docs/athena.md'), 'utf8');
    const names = Object.keys({ ...FUNCTIONS, ...AGGREGATES, ...WINDOW_FUNCTIONS }).filter((name) =>
      /^[a-z]/.test(name),
    );
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('a recipe for Athena', () => {
  it.each(RECIPES)('does %s, with the same rows', async (_title, ops, trino) => {
    const { sql } = moved(await bench.portable({ ops }, values));
    const steps = within(sql)
      .replace(/^WITH "step 1 of the recipe" AS \(.*?\), (?="step 2)/s, '')
      .replace(/ SELECT \* FROM "step \d+ of the recipe"$/, '');
    expect(steps).toBe(trino);
    const { rows } = compileRecipe(ops as Op[], COLUMNS, { main: 'orders', at: '/ops' });
    const duckdb = emitDuckDb(rows, (text, first) => bindTemplates(text, values, first));
    await bench.sameRows(duckdb, sql);
  });

  it.each(STAYING_RECIPES)('stays on DuckDB with %s', async (_title, ops, pointer, message) => {
    expect(await bench.portable({ ops }, values)).toEqual({ moves: false, reasons: [{ pointer, message }] });
  });

  it('fails on Athena where an assertion or a lookup fails on DuckDB', async () => {
    const base = { op: 'select', columns: ['id', 'region'] };
    const asserted = moved(await bench.portable({ ops: [base, { op: 'assert', condition: "region = 'eu'" }] }));
    await expect(bench.sameRows({ sql: 'SELECT 1' }, asserted.sql)).rejects.toThrow('assertion of the recipe: 2');
    const on = [{ left: 'region', right: 'region' }];
    const lookup = { op: 'lookup', with: 'regions', on, columns: ['label'], multiple: 'error' };
    const looked = moved(await bench.portable({ ops: [base, lookup] }));
    await expect(bench.sameRows({ sql: 'SELECT 1' }, looked.sql)).rejects.toThrow('Several rows of regions');
  });

  it('has an example of every operation', () => {
    const used = new Set([...RECIPES, ...STAYING_RECIPES].flatMap(([, ops]) => (ops as Op[]).map(({ op }) => op)));
    // Lists, which it needs, are no type that moves.
    used.add('flatten');
    expect(Object.keys(OPS).filter((name) => !used.has(name as Op['op']))).toEqual([]);
  });
});
