import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ColumnPredicate, filesFor } from '../../../../shared/data/tables/prune.ts';
import type { Manifest } from '../../../../shared/domains/warehouse/datasets/record.ts';
import { cases } from '../../../support/cases.ts';
import { useLoadRoom } from './load-setup.ts';

const { loaded, rowsOf } = useLoadRoom();

describe('filesFor', () => {
  const type = fc.constantFrom(
    { name: 'integer', value: (n: number) => `${n * 7}`, sql: (n: number) => `${n * 7}::BIGINT` },
    { name: 'decimal', value: (n: number) => `${n}.5`, sql: (n: number) => `'${n}.5'::DECIMAL(9,2)` },
    { name: 'string', value: (n: number) => `k${n}é`, sql: (n: number) => `'k${n}é'` },
    {
      name: 'date',
      value: (n: number) => `20${String(40 + n).slice(-2)}-01-31`,
      sql: (n: number) => `DATE '20${String(40 + n).slice(-2)}-01-31'`,
    },
  );
  const number = fc.integer({ min: -15, max: 15 });

  it('leaves out no file that has a row for which the conditions hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        type,
        fc.array(fc.array(fc.option(number), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(fc.constantFrom('eq', 'lt', 'lte', 'gt', 'gte', 'is_null', 'not_null'), number), {
          minLength: 1,
          maxLength: 2,
        }),
        async ({ value, sql }, files, conditions) => {
          let dataset: Manifest | undefined;
          for (const rows of files) {
            const values = rows.map((n) => `(${n === null ? 'NULL' : sql(n)})`);
            dataset = await loaded(
              dataset,
              `SELECT CAST(c AS ${typeOfSql(sql(1))}) AS c FROM (VALUES ${values.join(', ')}) v(c)`,
            );
          }
          const predicates = conditions.map(([op, n]) =>
            op === 'is_null' || op === 'not_null' ? { column: 'c', op } : { column: 'c', op, value: value(n) },
          ) as ColumnPredicate[];
          const operators: Record<string, string> = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' };
          const where = conditions
            .map(([op, n]) =>
              op in operators ? `c ${operators[op]} ${sql(n)}` : op === 'is_null' ? 'c IS NULL' : 'c IS NOT NULL',
            )
            .join(' AND ');
          const question = `SELECT * FROM t WHERE ${where} ORDER BY ALL`;
          const pruned = filesFor(dataset!, predicates);
          expect(await rowsOf(dataset!, question, pruned)).toEqual(await rowsOf(dataset!, question));
        },
      ),
      { numRuns: cases(10, 50) },
    );
  });

  const typeOfSql = (sql: string) =>
    sql.includes('DECIMAL')
      ? 'DECIMAL(9,2)'
      : sql.includes('BIGINT')
        ? 'BIGINT'
        : sql.startsWith('DATE')
          ? 'DATE'
          : 'VARCHAR';
});
