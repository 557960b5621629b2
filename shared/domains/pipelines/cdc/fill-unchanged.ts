import type { PostgresSource } from '../../../data/connectors/postgres/connection.ts';
import { quoteIdentifier } from '../../../data/duckdb/quoting.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import type { FillUnchanged } from './batch-writer.ts';
import type { Tuple } from './change-reader.ts';
import { quoted } from './preflight.ts';
import { alterationIssue } from './shape-compatibility.ts';
import { describeTable, type Shape, type SourceTableShape } from './table-shape.ts';

const ROWS_AT_ONCE = 2_000;

/**
 * The log does not contain large values that a change left as they were. They are read from the current row. If such a
 * value has changed since, or the row was deleted, a later event of the log corrects it.
 */
export function fillUnchangedFrom(source: PostgresSource): FillUnchanged {
  return async (table, shape, rows) => {
    const current = await describeTable(source, table);
    const issue = alterationIssue(table, shape, current);
    if (issue) throw new DataError('SCHEMA_MISMATCH', `${issue}; resync it.`);
    if (!shape.key || !current.key) return nullMissing(rows);
    const missing = shape.columns.flatMap(({ name }, i) =>
      rows.some((row) => row[i] === undefined) && current.columns.some((column) => column.name === name) ? [i] : [],
    );
    for (let start = 0; start < rows.length && missing.length > 0; start += ROWS_AT_ONCE) {
      await fill(source, table, { shape, current, missing }, rows.slice(start, start + ROWS_AT_ONCE));
    }
    nullMissing(rows);
  };
}

/** Columns that were dropped, and rows that were deleted, have no values. */
function nullMissing(rows: Tuple[]): void {
  for (const row of rows) for (const [i, value] of row.entries()) if (value === undefined) row[i] = null;
}

interface Lookup {
  shape: Shape;
  current: SourceTableShape;
  /** Indexes of the columns that some of the rows lack. */
  missing: number[];
}

async function fill(source: PostgresSource, table: string, { shape, current, missing }: Lookup, rows: Tuple[]) {
  const places = current.key!.map((name) => shape.columns.findIndex((column) => column.name === name));
  if (places.includes(-1)) return;
  const column = (i: number) => `t.${quoteIdentifier(shape.columns[i]!.name)}`;
  const keys = places.map((_, i) => `k${i}`);
  const arrays = current.keyTypes.map((type, i) => `$${i + 1}::text[]::${type}[]`);
  const { rows: found } = await source.query(
    `SELECT k.position, ${missing.map(column).join(', ')}
     FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS k(${keys.join(', ')}, position)
     JOIN ${quoted(table)} AS t ON ${places.map((place, i) => `${column(place)} = k.k${i}`).join(' AND ')}`,
    places.map((place) => rows.map((row) => row[place])),
  );
  for (const [position, ...values] of found) {
    const row = rows[Number(position) - 1]!;
    for (const [i, place] of missing.entries()) if (row[place] === undefined) row[place] = values[i];
  }
}
