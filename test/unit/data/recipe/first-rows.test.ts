import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRecipe } from '../../../../shared/data/recipe/compile.ts';
import { emitDuckDb } from '../../../../shared/data/recipe/duckdb.ts';
import { rankedByNumber } from '../../../../shared/data/recipe/first-rows.ts';
import type { Op } from '../../../../shared/data/recipe/ops.ts';
import { openTestEngine, rowsOf } from '../engine/open-test-engine.ts';

const NUMBER = 'number of the row';
const plain = (text: string) => ({ sql: text, params: [] });

/** Values that compare in surprising ways. */
const KEYS = ['NULL', "'NaN'", "'-0.0'", "'0'", '1', '2'];
const VERSIONS = ['NULL', "'NaN'", "'inf'", '1', '1.5', '2'];
const rows = fc.array(
  fc.record({
    key: fc.constantFrom(...KEYS),
    other: fc.constantFrom('NULL', "''", "'a'", "'A'"),
    version: fc.constantFrom(...VERSIONS),
    second: fc.constantFrom('NULL', '1', '2'),
  }),
  { minLength: 1, maxLength: 40 },
);
const direction = fc.constantFrom('asc' as const, 'desc' as const);

/** Two files, of which the second has its columns in another order, and a table of the same rows with their places. */
async function open() {
  const { engine, dir } = await openTestEngine();
  const columns = 'key::DOUBLE AS "Key", other, version::VARCHAR AS version, second::BIGINT AS second, place';
  const turned = 'place, second::BIGINT AS second, version::VARCHAR AS version, other, key::DOUBLE AS "Key"';
  let cases = 0;
  return {
    engine,
    async attach(given: readonly Record<string, string>[], cut: number) {
      const values = given.map(
        ({ key, other, version, second }, i) =>
          `(${key}::DOUBLE, ${other}::VARCHAR, ${version}::VARCHAR, ${second}::BIGINT, ${i}::BIGINT)`,
      );
      const parts = [values.slice(0, cut), values.slice(cut)].filter((part) => part.length > 0);
      // Under names of their own: the engine caches what it has read of a file.
      cases += 1;
      const files = parts.map((_, i) => join(dir, `${cases}-${i}.parquet`));
      for (const [i, part] of parts.entries()) {
        const sql = `SELECT ${i === 0 ? columns : turned} FROM (VALUES ${part.join(', ')}) v(key, other, version, second, place)`;
        await engine.copyToParquet(sql, { path: files[i]! });
      }
      await engine.attach('input', files);
      await engine.attach('numbered', files, { numbered: NUMBER });
    },
  };
}

describe('a dedupe that ranks the numbers of rows', () => {
  it('keeps the rows that ranking whole rows keeps, also where they are equal in the order', async () => {
    const { engine, attach } = await open();
    const chains: Op[][] = [
      [],
      [{ op: 'cast', column: 'version', type: 'double' }],
      [
        { op: 'cast', column: 'version', type: 'decimal(4,1)', onError: 'null' },
        { op: 'rename', map: { version: 'changed' } },
        { op: 'text', column: 'other', fn: 'upper' },
      ],
      [{ op: 'filter', condition: 'second IS NOT NULL' }],
    ];
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.nat(40),
        fc.constantFrom(...chains),
        fc.subarray(['Key', 'other'], { minLength: 1 }),
        fc.tuple(direction, direction),
        async (given, cut, chain, keys, [first, then]) => {
          await attach(given, cut);
          const orderBy = [
            { column: chain.some(({ op }) => op === 'rename') ? 'changed' : 'version', direction: first },
            { column: 'second', direction: then },
          ];
          const relationOf = async (order: typeof orderBy) => {
            const inputs = { input: await engine.describe('SELECT * FROM input') };
            const ops: Op[] = [...chain, { op: 'dedupe', keys, orderBy: order }];
            const { tables, issues } = compileRecipe(ops, inputs, { main: 'input', at: '/ops' });
            expect(issues).toEqual([]);
            return tables.at(-1)!.relation;
          };
          const ranked = rankedByNumber(await relationOf(orderBy), { input: { table: 'numbered', column: NUMBER } });
          const { sql, params } = emitDuckDb(ranked, plain);
          expect(sql.includes('ANTI JOIN')).toBe(!chain.some(({ op }) => op === 'filter'));
          const expected = emitDuckDb(await relationOf(orderBy), plain);
          const inOrder = (text: string) => `SELECT * FROM (${text}) ORDER BY place`;
          const found = await rowsOf(engine, inOrder(sql), params);
          const wanted = await rowsOf(engine, inOrder(expected.sql), expected.params);
          // As texts: a window makes a zero of the key's minus zero, which an anti join leaves as it is.
          expect(JSON.stringify(found)).toBe(JSON.stringify(wanted));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('takes an input without rows, and leaves alone what a number cannot be carried through', async () => {
    const { engine } = await openTestEngine();
    const emptySchema = ['id', 'day', 'note'].map((name) => ({ name, type: 'string' }));
    await engine.attach('input', [], { emptySchema });
    await engine.attach('numbered', [], { emptySchema, numbered: NUMBER });
    const dedupe: Op = { op: 'dedupe', keys: ['id'], orderBy: [{ column: 'day' }] };
    const emitted = (...ops: Op[]) => {
      const { tables } = compileRecipe(ops, { input: emptySchema }, { main: 'input', at: '/ops' });
      return emitDuckDb(
        rankedByNumber(tables.at(-1)!.relation, { input: { table: 'numbered', column: NUMBER } }),
        plain,
      );
    };
    const found = emitted(dedupe, { op: 'text', column: 'note', fn: 'upper' });
    expect(found.sql).toContain('ANTI JOIN');
    expect((await engine.describe(found.sql, found.params)).map(({ name }) => name)).toEqual(['id', 'day', 'note']);
    expect(await rowsOf(engine, found.sql, found.params)).toEqual([]);
    const others: Op[][] = [
      [{ op: 'dedupe', keys: ['id'] }],
      [{ op: 'derive', column: 'luck', expression: 'random()' }, dedupe],
      [{ op: 'rename', map: { note: NUMBER.toUpperCase() } }, dedupe],
      [{ op: 'limit', count: 3 }, dedupe],
      [{ op: 'select', columns: ['id', 'day'] }, dedupe],
      [{ op: 'union', with: ['input'] }, dedupe],
    ];
    for (const ops of others) expect(emitted(...ops).sql).not.toContain('ANTI JOIN');
    // Of two the first is done so.
    expect(emitted(dedupe, { ...dedupe, keys: ['note'] }).sql.match(/ANTI JOIN/g)).toHaveLength(1);
  });
});
