import { type Column, engineTypeOf, readColumnType, textsTypeOf } from '../duckdb/column-types.ts';
import { csvTable } from '../duckdb/exact-csv.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';

/** A statement for the rows that the code returned, with their types. Without rows there is no file to read. */
export async function answeredRows(columns: readonly Column[], rows: number, csv: string): Promise<string> {
  const values = columns.map(({ name, type }, i) => `${castOf(`c${i}`, type)} AS ${quoteIdentifier(name)}`);
  if (rows > 0) return `SELECT ${values.join(', ')} FROM ${await csvTable(csv, columns.length)}`;
  const nulls = columns.map((_, i) => `NULL AS c${i}`);
  return `SELECT ${values.join(', ')} FROM (SELECT ${nulls.join(', ')}) WHERE false`;
}

function castOf(text: string, type: string): string {
  if (type === 'binary') return `from_base64(${text})`;
  const read = readColumnType(type);
  // Converted through texts, so that values within lists and structs are read like other values.
  return `${read.kind === 'scalar' ? text : `${text}::JSON::${textsTypeOf(read)}`}::${engineTypeOf(type)}`;
}
