import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';
import type { Column } from './column-types.ts';
import { quoteLiteral } from './quoting.ts';
import { FORMULA_BEGINNINGS, hasTexts } from './spreadsheet-csv.ts';
import { wireValue } from './wire-format.ts';

/** A row as a JSON array, or as a JSON object by column name. */
export type RowShape = 'array' | 'object';
/** A row as a line of CSV, for programs or for spreadsheets. */
export type CsvShape = 'csv' | 'spreadsheet';

/** SQL for the text of a row, by the names of the columns in the enclosing statement. */
export function rowText(
  inner: readonly string[],
  columns: readonly Column[],
  types: readonly DuckDBType[],
  shape: RowShape,
): string {
  const values = inner.map((column, i) => wireValue(column, types[i]!));
  if (shape === 'array') return `json_array(${values.join(', ')})::VARCHAR`;
  return `json_object(${values.map((value, i) => `${quoteLiteral(columns[i]!.name)}, ${value}`).join(', ')})::VARCHAR`;
}

/** SQL for the texts of the cells of a line of CSV. */
export const cellTexts = (inner: readonly string[], types: readonly DuckDBType[]): string[] =>
  inner.map((column, i) => cell(column, types[i]!));

/** SQL for a line of CSV without its end, by the names of the texts of its cells: as `csvLine` writes it. */
export function csvText(cells: readonly string[], columns: readonly Column[], shape: CsvShape): string {
  const written = cells.map((cell, i) => writtenCell(cell, columns[i]!, shape));
  return `concat(${written.join(", ',', ")})`;
}

/** Null is an empty cell, empty text a quoted one. Only texts can need quotes, or be taken for formulas. */
function writtenCell(cell: string, column: Column, shape: CsvShape): string {
  if (!hasTexts(column)) return cell;
  const quoted = (text: string) =>
    `CASE WHEN ${text} = '' OR regexp_matches(${text}, '[",\\r\\n]') THEN '"' || replace(${text}, '"', '""') || '"' ELSE ${text} END`;
  if (shape === 'csv') return quoted(cell);
  const beginnings = FORMULA_BEGINNINGS.map((beginning) => `chr(${beginning.charCodeAt(0)})`).join(', ');
  return `CASE WHEN left(${cell}, 1) IN (${beginnings}) THEN ${quoted(`(chr(39) || ${cell})`)} ELSE ${quoted(cell)} END`;
}

/** The wire value as text, without the quotes that protect a number from rounding in JSON. */
function cell(column: string, type: DuckDBType): string {
  return `(${type.typeId === DuckDBTypeId.BIGINT ? column : wireValue(column, type)})::VARCHAR`;
}
