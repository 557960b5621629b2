import { type Column, engineTypeOf } from './column-types.ts';
import type { CopyResult, Engine } from './engine.ts';
import { quoteIdentifier, quoteLiteral } from './quoting.ts';
import { columnNames } from './unique-column-names.ts';

/** Types whose values may exceed what Parquet can represent, such as the year 20000 or `24:00:00`. */
const BOUNDED = /^(date|time|timestamp|list\()/;

/**
 * Writes rows in the wire format, a JSON array in each line of the file, as Parquet. A decimal without declared
 * precision stays a text with all its digits. `isLossy` means that a value did not fit its type and became null.
 */
export async function wireToParquet(
  engine: Engine,
  rowsPath: string,
  columns: readonly { name: string; type: string }[],
  path: string,
): Promise<CopyResult & { isLossy: boolean }> {
  const names = columnNames(columns.map(({ name }) => name));
  const cells = columns.map(({ type }, i) => ({ type: storedType(type), text: `cells[${i + 1}]` }));
  const values = cells.map(({ type, text }) => valueSql(type, text));
  const rows = `read_json(${quoteLiteral(rowsPath)}, format = 'newline_delimited', records = 'false', columns = {cells: 'VARCHAR[]'})`;
  const written = await engine.copyToParquet(
    `SELECT ${values.map((value, i) => `${value} AS ${quoteIdentifier(names[i]!)}`).join(', ')} FROM ${rows}`,
    { path },
  );
  const losses = cells.flatMap(({ type, text }, i) =>
    BOUNDED.test(type) ? [`(${text} IS NOT NULL AND ${values[i]} IS NULL)`] : [],
  );
  const [[lost] = []] = losses.length
    ? await engine.run(`SELECT coalesce(bool_or(${losses.join(' OR ')}), false) FROM ${rows}`)
    : [[false]];
  return { ...written, isLossy: lost === true };
}

/** Binary values within lists stay texts, too: those of the wire format are base64. */
const storedType = (type: string): Column['type'] =>
  type.replace(/decimal(?!\()/, 'string').replace(/^list\(binary\)$/, 'list(string)');

function valueSql(type: string, text: string): string {
  if (type === 'binary') return `from_base64(${text})`;
  const engineType = engineTypeOf(type);
  const given = type.startsWith('list(') ? `${text}::JSON` : text;
  return BOUNDED.test(type) ? `TRY_CAST(${given} AS ${engineType})` : `CAST(${given} AS ${engineType})`;
}
