import type { Column } from '../engine/column-types.ts';
import type { Engine } from '../engine/engine.ts';
import { quoteIdentifier } from '../engine/quoting.ts';
import { finiteJson } from '../engine/wire-format.ts';

/** Rows that the code is called with at a time, at most. */
const MOST_BATCH_ROWS = 10_000;
/** A batch of wide rows has fewer of them: its text, and what is made of it, must fit into the sandbox. */
const MOST_BATCH_CHARACTERS = 4 * 1024 * 1024;

/** The rows of the table `input` as JSON arrays of arrays, in batches. */
export async function* inputBatches(
  engine: Engine,
  columns: readonly Column[],
): AsyncGenerator<{ text: string; rows: number }> {
  const values = columns.map(({ type }, i) => cellOf(`c${i}`, type));
  const names = columns.map((_, i) => `c${i}`).join(', ');
  const list = columns.map(({ name }) => quoteIdentifier(name)).join(', ');
  const sql = `SELECT json_array(${values.join(', ')})::VARCHAR FROM (SELECT ${list} FROM input) AS input(${names})`;
  let rows: string[] = [];
  let characters = 0;
  const batch = () => ({ text: `[${finiteJson(rows.join(','))}]`, rows: rows.length });
  for await (const [texts = []] of engine.columnChunks(sql)) {
    for (const text of texts as readonly string[]) {
      rows.push(text);
      characters += text.length;
      if (rows.length < MOST_BATCH_ROWS && characters < MOST_BATCH_CHARACTERS) continue;
      yield batch();
      rows = [];
      characters = 0;
    }
  }
  if (rows.length > 0) yield batch();
}

/**
 * A value as the code sees it, the same kind for every value of a column: integers and decimals are text, since a number
 * of JavaScript is not exact beyond 2^53; dates and instants are ISO text.
 */
function cellOf(column: string, type: string): string {
  if (type === 'integer' || type === 'date' || type === 'time') return `${column}::VARCHAR`;
  // Without room for a digit before the point DuckDB writes none.
  if (type.startsWith('decimal')) return `regexp_replace(${column}::VARCHAR, '^(-?)\\.', '\\10.')`;
  if (type === 'double') {
    return `CASE WHEN isfinite(${column}) THEN to_json(${column}::DOUBLE) ELSE to_json(${column}::VARCHAR) END`;
  }
  if (type === 'timestamp' || type === 'timestamptz') {
    const text = `regexp_replace(strftime(${column}, '%Y-%m-%dT%H:%M:%S.%f'), '(\\.\\d{3})0+$', '\\1') || 'Z'`;
    return `CASE WHEN isfinite(${column}) THEN ${text} ELSE ${column}::VARCHAR END`;
  }
  if (type === 'binary') return `base64(${column})`;
  return type === 'string' || type === 'boolean' || type === 'json' ? column : `to_json(${column})`;
}
