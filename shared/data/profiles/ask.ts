import type { Engine } from '../duckdb/engine.ts';

const MAX_BYTES = 8 * 1024 * 1024;

/** The rows of an internal statement with the values in the wire format. */
export async function ask(engine: Engine, sql: string, limit = 1): Promise<unknown[][]> {
  const { rowsJson } = await engine.query(sql, { limit, maxBytes: MAX_BYTES });
  return JSON.parse(rowsJson) as unknown[][];
}

/** A relation that `ask` reads more than once. */
export const VALUES = 'temp.main.profiled_values';
