import { tmpdir } from 'node:os';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';
import type { Dialect, ExpressionType } from '../../../../shared/data/expressions/index.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';

export interface Answer {
  rows: (string | null)[][];
  /** The kind of each column: `integer`, `decimal`, `number` and so on. */
  kinds: string[];
}

const POSTGRES_KINDS: Record<number, string> = {
  16: 'boolean',
  20: 'integer',
  23: 'integer',
  25: 'string',
  1043: 'string',
  701: 'number',
  1082: 'date',
  1083: 'time',
  1184: 'datetime',
  1700: 'decimal',
};

const DUCKDB_KINDS: [RegExp, string][] = [
  [/^BOOLEAN$/, 'boolean'],
  [/INT|DECIMAL\(\d+,0\)/, 'integer'],
  [/^VARCHAR$/, 'string'],
  [/^DOUBLE$/, 'number'],
  [/^DATE$/, 'date'],
  [/^TIME$/, 'time'],
  [/^TIMESTAMP WITH TIME ZONE$/, 'datetime'],
  [/^DECIMAL/, 'decimal'],
];

/** Both engines with the same data, for the tests of a file. Their sessions have time zones that no result may show. */
export function useEngines(setup: string): Record<Dialect, (sql: string) => Promise<Answer>> {
  let engine: Engine;
  let postgres: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    engine = await openEngine({ memoryLimitMb: 512, threads: 1, tempDir: tmpdir(), timezone: 'Asia/Kolkata' });
    postgres = await openDatabase();
    client = new Client({ ...postgres, types: { getTypeParser: () => (text: string) => text } } as never);
    await client.connect();
    await client.query("SET TimeZone = 'America/New_York'; SET DateStyle = 'ISO, MDY'");
    for (const statement of setup.split(';\n')) {
      await engine.run(statement);
      await client.query(statement);
    }
  });
  afterAll(async () => {
    await client?.end();
    await postgres?.drop();
    await engine?.close();
  });

  return {
    async duckdb(sql) {
      const { columns, types } = await engine.shape(sql);
      const texts = columns.map((_, index) => `CAST(c${index} AS VARCHAR)`);
      const names = columns.map((_, index) => `c${index}`);
      const rows = await engine.run(`SELECT ${texts} FROM (${sql}) AS result(${names})`);
      const kinds = types.map(
        (type) => DUCKDB_KINDS.find(([pattern]) => pattern.test(String(type)))?.[1] ?? String(type),
      );
      return { rows: rows as (string | null)[][], kinds };
    },
    async postgres(sql) {
      const { rows, fields } = await client.query({ text: sql, rowMode: 'array' });
      return { rows, kinds: fields.map(({ dataTypeID }) => POSTGRES_KINDS[dataTypeID] ?? String(dataTypeID)) };
    },
  };
}

/** Whether an engine's column can hold the values of a type. Sums of integers are exact numbers of another name. */
export function isKindOf(kind: string, type: ExpressionType): boolean {
  return kind === type || (type === 'integer' && kind === 'decimal') || (type === 'decimal' && kind === 'integer');
}

/** A value as texts of engines show it, in one form; floats are numbers. */
export function readValue(text: string | null, type: ExpressionType): unknown {
  if (text === null) return null;
  switch (type) {
    case 'integer':
      return text;
    case 'decimal':
      return text.includes('.') ? text.replace(/\.?0+$/, '').replace(/^-0$/, '0') : text;
    case 'number':
      return { nan: Number.NaN, inf: Number.POSITIVE_INFINITY, '-inf': Number.NEGATIVE_INFINITY }[text] ?? Number(text);
    case 'boolean':
      return text === 'true' || text === 't';
    case 'datetime':
      return new Date(text.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00')).toISOString();
    default:
      return text;
  }
}

/** Floats may differ in their last digits, because engines add in other orders. */
export function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'number' || typeof b !== 'number' || !Number.isFinite(a) || !Number.isFinite(b))
    return Object.is(a, b) || a === b;
  return Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b), 1e-300);
}
