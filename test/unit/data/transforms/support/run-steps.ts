import { quoteIdentifier } from '../../../../../shared/data/duckdb/quoting.ts';
import type { Dialect } from '../../../../../shared/data/expressions/index.ts';
import { readValue, type useEngines } from '../../expressions/two-engines.ts';
import { type Asked, type Config, relationOf, type TestTable } from './tables.ts';

export type Row = Record<string, unknown>;

/** The rows after steps on an engine, in the order of the steps; floats have twelve digits. */
export async function runSteps(
  engine: ReturnType<typeof useEngines>[Dialect],
  table: Pick<TestTable, 'name' | 'columns'>,
  configs: readonly Config[],
  dialect: Dialect,
  asked: Asked = {},
): Promise<Row[]> {
  const { sql, columns, order } = relationOf(table, configs, dialect, asked);
  const shown = columns!.map(({ name, stored }) => {
    if (stored === 'timestamp') return `${quoteIdentifier(name)} AT TIME ZONE 'UTC'`;
    return stored === 'other' ? `CAST(${quoteIdentifier(name)} AS varchar)` : quoteIdentifier(name);
  });
  const sorted = order.length > 0 ? ` ORDER BY ${order.join(', ')}` : '';
  const { rows } = await engine(`SELECT ${shown.join(', ')} FROM ${sql} AS reply${sorted}`);
  return rows.map((row) =>
    Object.fromEntries(columns!.map(({ name, type }, index) => [name, plain(readValue(row[index]!, type))])),
  );
}

const plain = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value);

/** The same on both engines, which must agree. Rows without an order come in that of their texts. */
export async function runOnBoth(
  engines: ReturnType<typeof useEngines>,
  table: (dialect: Dialect) => Pick<TestTable, 'name' | 'columns'>,
  configs: readonly Config[],
  asked: Asked = {},
): Promise<Row[]> {
  const [duckdb, postgres] = await Promise.all(
    (['duckdb', 'postgres'] as const).map(async (dialect) => {
      const rows = await runSteps(engines[dialect], table(dialect), configs, dialect, asked);
      return configs.some(([type]) => type === 'sort_rows' || type === 'top_n') ? rows : rows.toSorted(byText);
    }),
  );
  if (JSON.stringify(duckdb) !== JSON.stringify(postgres))
    throw new Error(
      `${JSON.stringify(configs)}\nDuckDB:   ${JSON.stringify(duckdb)}\nPostgres: ${JSON.stringify(postgres)}`,
    );
  return duckdb!;
}

const byText = (a: Row, b: Row) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
