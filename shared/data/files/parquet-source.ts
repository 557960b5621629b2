import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';
import type { Column } from '../duckdb/column-types.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import { columnNames } from '../duckdb/unique-column-names.ts';
import { type ColumnChange, exampleOf, MAX_EXAMPLES } from './changed-values.ts';
import type { FileRelation } from './csv-source.ts';
import { rejectTooWide } from './file-format.ts';

/** Reads a Parquet file, given as a table function. */
export async function parquetRelation(engine: Engine, source: string, typeSample?: number): Promise<FileRelation> {
  const { columns: found, types } = await engine.shape(`SELECT * FROM ${source}`);
  rejectTooWide(found);
  const names = columnNames(found.map(({ name }) => name));
  const list = found.map(({ name }, i) => `${quoteIdentifier(name)} AS ${quoteIdentifier(names[i]!)}`);
  const sql = `SELECT ${list.join(', ')} FROM ${source}`;
  const columns = found.map(({ type }, i) => ({ name: names[i]!, type }));
  const changes = typeSample === undefined ? await roundedInstants(engine, sql, columns, types) : [];
  return { sql, columns, ...(changes.length > 0 && { changes }) };
}

/** Instants are stored in microseconds, but a file may have nanoseconds. */
export async function roundedInstants(
  engine: Engine,
  sql: string,
  columns: readonly Column[],
  types: readonly DuckDBType[],
): Promise<ColumnChange[]> {
  const fine = columns.filter((_, i) => types[i]!.typeId === DuckDBTypeId.TIMESTAMP_NS);
  const changes: ColumnChange[] = [];
  for (const { name } of fine) {
    const value = quoteIdentifier(name);
    const test = `isfinite(${value}::TIMESTAMP) AND epoch_ns(${value}) % 1000 <> 0`;
    const [[rounded] = []] = await engine.run(`SELECT count(*) FILTER (WHERE ${test}) FROM (${sql})`);
    if (Number(rounded) === 0) continue;
    const numbered = `SELECT ${value}, row_number() OVER () AS "the row's place" FROM (${sql})`;
    const found = await engine.run(
      `SELECT "the row's place", ${value}::VARCHAR FROM (${numbered}) WHERE ${test} LIMIT ${MAX_EXAMPLES}`,
    );
    const examples = found.map(([row, text]) => exampleOf(Number(row), String(text)));
    changes.push({ column: name, nulls: 0, rounded: Number(rounded), examples });
  }
  return changes;
}
