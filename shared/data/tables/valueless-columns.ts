import { folded } from '../duckdb/column-names.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import { commonType } from './column-union.ts';
import type { DatasetColumn } from './data-file.ts';

export interface FittedColumns {
  columns: DatasetColumn[];
  /** Columns whose existing type differs and that have no values. */
  valueless: string[];
}

/** Which of the given columns have no values. */
export async function valuelessOf<C extends { name: string }>(
  engine: Engine,
  table: string,
  columns: readonly C[],
): Promise<C[]> {
  if (columns.length === 0) return [];
  const counts = columns.map(({ name }) => `count(${quoteIdentifier(name)})`);
  const [row = []] = await engine.run(`SELECT ${counts.join(', ')} FROM ${quoteIdentifier(table)}`);
  return columns.filter((_, i) => Number(row[i]) === 0);
}

/**
 * The columns of rows, with the existing type for columns without values: an empty column of a text file, or a file
 * without rows, has no type of its own. `attach` makes the rows readable as `table` if they must be examined.
 */
export async function fitValueless(
  engine: Engine,
  table: string,
  { current, incoming }: { current: readonly DatasetColumn[]; incoming: readonly DatasetColumn[] },
  attach: () => Promise<void>,
): Promise<FittedColumns> {
  const known = new Map(current.map((column) => [folded(column.name), column]));
  const there = (column: DatasetColumn) => known.get(folded(column.name)) ?? column;
  const doubtful = incoming.filter((column) => commonType(there(column).type, column.type) === undefined);
  if (doubtful.length === 0) return { columns: [...incoming], valueless: [] };
  await attach();
  const without = new Set(await valuelessOf(engine, table, doubtful));
  return {
    columns: incoming.map((column) => (without.has(column) ? there(column) : column)),
    valueless: [...without].map((column) => there(column).name),
  };
}
