import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';
import type { Column } from './column-types.ts';
import { quoteLiteral } from './quoting.ts';
import { wireValue } from './wire-format.ts';

/** A row as a JSON array, as a JSON object by column name, or as a JSON array of the texts of its cells. */
export type RowShape = 'array' | 'object' | 'cells';

/** SQL for the text of a row, by the names of the columns in the enclosing statement. */
export function rowText(
  inner: readonly string[],
  columns: readonly Column[],
  types: readonly DuckDBType[],
  shape: RowShape,
): string {
  if (shape === 'cells') return `json_array(${inner.map((column, i) => cell(column, types[i]!)).join(', ')})::VARCHAR`;
  const values = inner.map((column, i) => wireValue(column, types[i]!));
  if (shape === 'array') return `json_array(${values.join(', ')})::VARCHAR`;
  return `json_object(${values.map((value, i) => `${quoteLiteral(columns[i]!.name)}, ${value}`).join(', ')})::VARCHAR`;
}

/** The wire value as text, without the quotes that protect a number from rounding in JSON. */
function cell(column: string, type: DuckDBType): string {
  return `(${type.typeId === DuckDBTypeId.BIGINT ? column : wireValue(column, type)})::VARCHAR`;
}
