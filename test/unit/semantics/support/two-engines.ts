import { tmpdir } from 'node:os';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';
import { quoteIdentifier, quoteLiteral } from '../../../../shared/data/duckdb/quoting.ts';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';
import type { Tables, Value } from './brute-force.ts';

export interface TwoEngines {
  /** Replaces the tables; a column for each field, named by its part after the dot. */
  load(schema: string, tables: Tables): Promise<void>;
  duckdb(sql: string): Promise<Value[][]>;
  postgres(sql: string): Promise<Value[][]>;
  close(): Promise<void>;
}

export async function twoEngines(): Promise<TwoEngines> {
  const engine: Engine = await openEngine({ memoryLimitMb: 300, threads: 1, tempDir: tmpdir() });
  const server: TestPostgres = await startPostgres();
  return {
    async load(schema, tables) {
      const statements = [
        `CREATE SCHEMA ${schema}`,
        ...Object.entries(tables).map(([name, rows]) => create(schema, name, rows)),
      ];
      for (const statement of statements) await engine.run(statement);
      await server.run(statements.join(';\n'));
    },
    duckdb: async (sql) => plain(await engine.run(sql)),
    postgres: async (sql) => plain(await server.rows(sql)),
    async close() {
      await engine.close();
      await server.stop();
    },
  };
}

function create(schema: string, table: string, rows: Tables[string]): string {
  const columns = Object.keys(rows[0]!);
  const values = rows.map((row) => `(${columns.map((column) => literal(row[column]!)).join(', ')})`);
  const names = columns.map((column) => quoteIdentifier(column.split('.')[1]!)).join(', ');
  return `CREATE TABLE ${schema}.${table} AS SELECT * FROM (VALUES ${values.join(', ')}) AS v(${names})`;
}

function literal(value: Value): string {
  if (value === null) return 'CAST(NULL AS integer)';
  return typeof value === 'number' ? String(value) : quoteLiteral(value);
}

/** Numbers that come as texts (decimals, large integers) become numbers again: the tests' own are small. */
const plain = (rows: readonly unknown[][]): Value[][] =>
  rows.map((row) =>
    row.map((value) => {
      if (value === null || value === undefined) return null;
      const number = Number(value);
      return Number.isNaN(number) ? String(value) : Math.round(number * 1e9) / 1e9;
    }),
  );
