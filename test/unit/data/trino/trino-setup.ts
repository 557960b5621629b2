import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';
import type { EngineParameter } from '../../../../shared/data/duckdb/parameters.ts';
import { type PortableStep, portableStep } from '../../../../shared/domains/pipelines/definition/portable-step.ts';
import { asDuckDbReads, speakTrino } from '../../../support/trino-words.ts';
import { rowsOf } from '../engine/open-test-engine.ts';

export const COLUMNS = {
  orders: [
    { name: 'id', type: 'integer' },
    { name: 'title', type: 'string' },
    { name: 'code', type: 'string' },
    { name: 'amount', type: 'double' },
    { name: 'price', type: 'decimal(10,2)' },
    { name: 'paid', type: 'boolean' },
    { name: 'day', type: 'date' },
    { name: 'sold', type: 'timestamp' },
    { name: 'region', type: 'string' },
  ],
  regions: [
    { name: 'region', type: 'string' },
    { name: 'label', type: 'string' },
    { name: 'rank', type: 'integer' },
  ],
};

/** Rows with all that is awkward: NULLs, NaN, halves, letters beyond ASCII, texts that look like values. */
const ROWS = {
  orders: `SELECT * FROM (VALUES
    (1, '  Ada Lovelace ', '12', 2.5, 10.25, true, DATE '2026-01-31', TIMESTAMP '2026-01-31 23:59:59.5', 'eu'),
    (2, 'grace hopper', ' 7', -2.5, -3.50, false, DATE '2024-02-29', TIMESTAMP '2024-02-29 00:00:00', 'us'),
    (3, 'Zoë, a-b', 'abc', 'NaN'::DOUBLE, 0.00, NULL, DATE '2025-12-29', TIMESTAMP '2025-12-29 12:30:15', 'eu'),
    (4, NULL, NULL, 3.5, NULL, true, NULL, NULL, NULL),
    (5, '', '-3', 0.125, 99.99, true, DATE '2026-07-05', TIMESTAMP '2026-07-05 08:00:00', 'eu'),
    (6, 'a1b22', '2026-03-04', NULL, 10.25, false, DATE '2026-07-06', TIMESTAMP '2026-07-06 08:00:00', 'us'))
    v(id, title, code, amount, price, paid, day, sold, region)`,
  regions:
    "SELECT * FROM (VALUES ('eu', 'Europe', 1), ('us', 'America', 2), ('us', 'States', 3), (NULL, 'None', 4)) v(region, label, rank)",
};

const TYPES: Record<string, string> = {
  integer: 'BIGINT',
  string: 'VARCHAR',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
};

async function fill(engine: Engine): Promise<void> {
  for (const [table, columns] of Object.entries(COLUMNS)) {
    const cast = columns.map(({ name, type }) => `CAST(${name} AS ${TYPES[type] ?? type}) AS ${name}`);
    const source = ROWS[table as keyof typeof ROWS];
    await engine.run(`CREATE TABLE ${table} AS SELECT ${cast.join(', ')} FROM (${source})`);
  }
}

export interface Bench {
  /** What a step comes to, given the settings that it has. */
  portable(config: Record<string, unknown>, values?: Record<string, unknown>): Promise<PortableStep>;
  /** Runs a statement of DuckDB, and what it is for Trino with Trino's words; both give the same rows. */
  sameRows(duckdb: { sql: string; params?: readonly EngineParameter[] }, trino: string): Promise<void>;
  /** The engine with DuckDB's words alone. */
  duckdb: Engine;
  /** The engine with Trino's words. */
  trino: Engine;
  close(): Promise<void>;
}

/** Three engines: one that checks, one with DuckDB's words and one with Trino's. */
export async function openBench(): Promise<Bench> {
  const tempDir = await mkdtemp(join(tmpdir(), 'trino-test-'));
  const open = () => openEngine({ memoryLimitMb: 128, threads: 1, tempDir });
  const [check, duckdb, trino] = await Promise.all([open(), open(), open()]);
  await Promise.all([fill(duckdb), fill(trino)]);
  await speakTrino(trino);
  return {
    duckdb,
    trino,
    portable: (config, values = {}) => portableStep(check, config, COLUMNS, values),
    sameRows: async ({ sql, params }, moved) => {
      const expected = await rowsOf(duckdb, sql, params);
      expect(comparable(await rowsOf(trino, asDuckDbReads(moved)))).toEqual(comparable(expected));
    },
    close: async () => {
      await Promise.all([check, duckdb, trino].map((engine) => engine.close()));
      await rm(tempDir, { recursive: true, force: true });
    },
  };
}

export function moved(step: PortableStep): Extract<PortableStep, { moves: true }> {
  if (!step.moves) throw new Error(JSON.stringify(step.reasons));
  return step;
}

/** Without the order of rows and the last digits of doubles, which are no promise. */
const comparable = (rows: unknown[][]) =>
  rows
    .map((row) =>
      JSON.stringify(row.map((value) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value))),
    )
    .sort();
