import { tmpdir } from 'node:os';
import { type Engine, openEngine } from '../../../../../shared/data/duckdb/engine.ts';
import { quoteIdentifier, quoteLiteral } from '../../../../../shared/data/duckdb/quoting.ts';
import { openDatabase, type TestDatabase } from '../../../../support/postgres-database.ts';
import type { Shape } from './ask.ts';
import type { Value } from './brute-force.ts';

export interface TwoEngines {
  /** Replaces the tables; a column for each field, named by its part after the dot. */
  load(schema: string, shape: Shape): Promise<void>;
  /** Runs a statement on both engines. */
  run(sql: string): Promise<void>;
  duckdb(sql: string): Promise<Value[][]>;
  postgres(sql: string): Promise<Value[][]>;
  /** Also replies with several columns of one name, but reads dates as midnights of this machine. */
  postgresColumns(sql: string): Promise<Value[][]>;
  close(): Promise<void>;
}

export async function twoEngines(): Promise<TwoEngines> {
  const engine: Engine = await openEngine({ memoryLimitMb: 300, threads: 1, tempDir: tmpdir() });
  const server: TestDatabase = await openDatabase();
  return {
    async load(schema, shape) {
      const statements = [
        `CREATE SCHEMA ${schema}`,
        ...Object.keys(shape.tables).map((table) => create(schema, table, shape)),
      ];
      for (const statement of statements) await engine.run(statement);
      await server.run(statements.join(';\n'));
    },
    async run(sql) {
      await engine.run(sql);
      await server.run(sql);
    },
    duckdb: async (sql) => plain(await engine.run(sql)),
    // As JSON, because `pg` reads dates as midnights of this machine.
    postgres: async (sql) =>
      plain(
        (await server.rows(`SELECT to_json(reply) FROM (${sql}) AS reply`)).map(([row]) =>
          Object.values(row as object),
        ),
      ),
    postgresColumns: async (sql) => plain(await server.rows(sql)),
    async close() {
      await engine.close();
      await server.drop();
    },
  };
}

/** The tables of a shape in one engine. */
export async function loadTables(engine: Pick<Engine, 'run'>, schema: string, shape: Shape): Promise<void> {
  await engine.run(`CREATE SCHEMA ${schema}`);
  for (const table of Object.keys(shape.tables)) await engine.run(create(schema, table, shape));
}

function create(schema: string, table: string, { tables, types = {} }: Shape): string {
  const rows = tables[table]!;
  const columns = Object.keys(rows[0]!);
  const values = rows.map((row) => `(${columns.map((column) => literal(row[column]!)).join(', ')})`);
  const names = columns.map((column) => quoteIdentifier(column.split('.')[1]!));
  const typed = columns.map(
    (column, index) => `CAST(${names[index]} AS ${SQL_TYPES[types[column] ?? 'integer']}) AS ${names[index]}`,
  );
  return `CREATE TABLE ${schema}.${table} AS SELECT ${typed.join(', ')} FROM (VALUES ${values.join(', ')}) AS v(${names.join(', ')})`;
}

const SQL_TYPES: Record<string, string> = {
  integer: 'integer',
  string: 'varchar',
  date: 'date',
  datetime: 'timestamp with time zone',
};

function literal(value: Value): string {
  if (value === null) return 'NULL';
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
