import { DataError } from '../../platform/errors/data-error.ts';
import { type Column, type ColumnType, listDepth, MAX_LISTS, readColumnType } from '../duckdb/column-types.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteIdentifier, quoteLiteral } from '../duckdb/quoting.ts';
import { finiteJson } from '../duckdb/wire-format.ts';

/** Maximum number of rows per call of the code. */
const MAX_BATCH_ROWS = 10_000;
/** Batches of wide rows are smaller, because their text and the values parsed from it must fit into the sandbox. */
const MAX_BATCH_CHARACTERS = 4 * 1024 * 1024;

function typeFor({ name, type }: Column): ColumnType {
  const read = readColumnType(type);
  if (listDepth(read) <= MAX_LISTS) return read;
  const message = `The lists in ${name} are more than ${MAX_LISTS} deep, which code cannot receive.`;
  throw new DataError('SCHEMA_MISMATCH', message);
}

/** Yields the rows of the table `input` as JSON arrays of arrays, in batches. */
export async function* inputBatches(
  engine: Engine,
  columns: readonly Column[],
): AsyncGenerator<{ text: string; rows: number }> {
  const values = columns.map((column, i) => cellOf(`c${i}`, typeFor(column)));
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
      if (rows.length < MAX_BATCH_ROWS && characters < MAX_BATCH_CHARACTERS) continue;
      yield batch();
      rows = [];
      characters = 0;
    }
  }
  if (rows.length > 0) yield batch();
}

/**
 * SQL for a value as the code receives it, of the same kind for all values of a column: integers and decimals are text,
 * because numbers of JavaScript are inexact beyond 2^53, and dates and instants are ISO text. The same holds within
 * lists and structs.
 */
function cellOf(e: string, type: ColumnType, depth = 0): string {
  if (type.kind === 'scalar') return scalarOf(e, type.name);
  if (type.kind === 'struct') {
    const entries = type.fields.flatMap((field, i) => [
      quoteLiteral(field.name),
      cellOf(`struct_extract_at(${e}, ${i + 1})`, field.type, depth),
    ]);
    return `CASE WHEN ${e} IS NOT NULL THEN json_object(${entries.join(', ')}) END`;
  }
  const item = `v${depth}`;
  return `to_json(list_transform(${e}, lambda ${item}: ${cellOf(item, type.item, depth + 1)}))`;
}

function scalarOf(e: string, type: string): string {
  if (type === 'integer' || type === 'date' || type === 'time') return `${e}::VARCHAR`;
  // If the type has no digit before the point, DuckDB writes none.
  if (type.startsWith('decimal')) return `regexp_replace(${e}::VARCHAR, '^(-?)\\.', '\\10.')`;
  if (type === 'double') {
    return `CASE WHEN isfinite(${e}) THEN to_json(${e}::DOUBLE) ELSE to_json(${e}::VARCHAR) END`;
  }
  if (type === 'timestamp' || type === 'timestamptz') {
    const text = `regexp_replace(strftime(${e}, '%Y-%m-%dT%H:%M:%S.%f'), '(\\.\\d{3})0+$', '\\1') || 'Z'`;
    return `CASE WHEN isfinite(${e}) THEN ${text} ELSE ${e}::VARCHAR END`;
  }
  return type === 'binary' ? `base64(${e})` : e;
}
