import { DataError } from '../../platform/errors/data-error.ts';
import type { ObjectCache } from '../../platform/objects/object-cache.ts';
import type { ObjectStore } from '../../platform/objects/object-store.ts';
import { folded, freeName } from '../duckdb/column-names.ts';
import { type Column, engineTypeOf } from '../duckdb/column-types.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteIdentifier, quoteLiteral } from '../duckdb/quoting.ts';
import type { DataFile, DatasetColumn } from './data-file.ts';

/** What an attempt needs to prepare a load. Nothing that it stores is visible before the load commits. */
export interface LoadContext {
  engine: Engine;
  objects: ObjectStore;
  cache: ObjectCache;
  /** Returns a new key of the dataset that no other attempt uses. */
  nextKey(): string;
  /** Returns a path on the scratch disk. */
  scratchFile(): string;
  /** What has been stored of the batch, if the load is prepared again because another one came first. */
  stored?: StoredParts;
}

/** The files with the rows of a batch, by the form in which they are stored. */
export type StoredParts = Map<string, DataFile[]>;

/** Stores the rows of a batch in a form; once, however often the load is prepared. */
export async function storedOnce(
  { stored }: LoadContext,
  form: string,
  store: () => Promise<DataFile[]>,
): Promise<DataFile[]> {
  const files = stored?.get(form) ?? (await store());
  stored?.set(form, files);
  return files;
}

/** Makes files of the dataset readable as a table. */
export async function attachFiles(
  { engine, cache }: LoadContext,
  name: string,
  files: readonly DataFile[],
  columns: readonly DatasetColumn[],
): Promise<void> {
  await engine.attach(name, await cache.fetchAll(files), { emptySchema: columns });
}

/**
 * The rows of local files, as an expression for FROM. Each row has the path of its file in the column `path`, a name
 * that is not in use.
 */
export async function rowsWithPath(
  engine: Engine,
  paths: readonly string[],
): Promise<{ rows: string; path: string; columns: Column[] }> {
  const files = `[${paths.map(quoteLiteral).join(', ')}], hive_partitioning = false, union_by_name = ${paths.length > 1}`;
  const columns = await engine.describe(`SELECT * FROM read_parquet(${files})`);
  const name = freeName('path of the file', columns);
  const path = quoteIdentifier(name);
  if (!columns.some((column) => folded(column.name) === 'filename')) {
    return { columns, path, rows: `read_parquet(${files}, filename = ${quoteLiteral(name)})` };
  }
  // DuckDB would apply a condition on that column to the paths and skip files.
  const each = paths.map((file) => `SELECT *, ${quoteLiteral(file)} AS ${path} FROM ${parquetFile(file)}`);
  return { columns, path, rows: `(${each.join(' UNION ALL BY NAME ')})` };
}

/**
 * The rows of a table with some of its columns converted, as an expression for FROM. Throws SCHEMA_MISMATCH for values
 * that would change, which only `narrowed` columns and integers converted to doubles can have.
 */
export async function convertedRows(
  { engine }: Pick<LoadContext, 'engine'>,
  table: string,
  names: readonly string[],
  columns: readonly DatasetColumn[],
  { narrowed = [], valueless = [] }: { narrowed?: readonly string[]; valueless?: readonly string[] } = {},
): Promise<string> {
  if (names.length === 0) return quoteIdentifier(table);
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const checked = new Set([...narrowed, ...valueless]);
  await rejectInexact(
    engine,
    table,
    names.filter((name) => types.get(name) === 'double' && !checked.has(name)),
  );
  for (const name of narrowed) await rejectLossy(engine, table, name, types.get(name)!);
  const replaced = names.map((name) => {
    const column = quoteIdentifier(name);
    // Some casts do not exist, not even for nulls.
    const value = valueless.includes(name) ? 'NULL' : column;
    return `CAST(${value} AS ${engineTypeOf(types.get(name)!)}) AS ${column}`;
  });
  return `(SELECT * REPLACE (${replaced.join(', ')}) FROM ${quoteIdentifier(table)})`;
}

/** The rows of a relation with every column of the dataset. Columns that the relation lacks are null. */
export async function allColumns(
  { engine }: Pick<LoadContext, 'engine'>,
  relation: string,
  columns: readonly DatasetColumn[],
): Promise<string> {
  const found = await engine.describe(`SELECT * FROM ${relation}`);
  // Names are spelled as in the dataset.
  const present = new Set(found.map(({ name }) => folded(name)));
  const list = columns.map(({ name, type }) => {
    const column = quoteIdentifier(name);
    return `${present.has(folded(name)) ? column : `CAST(NULL AS ${engineTypeOf(type)})`} AS ${column}`;
  });
  return `SELECT ${list.join(', ')} FROM ${relation}`;
}

/**
 * Doubles hold integers up to 2^53. Beyond that, two different ids would become equal. Values that are already doubles
 * stay as they are.
 */
async function rejectInexact(engine: Engine, table: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const found = await engine.describe(`SELECT * FROM ${quoteIdentifier(table)}`);
  const integers = new Set(found.filter(({ type }) => type === 'integer').map(({ name }) => folded(name)));
  await rejectBeyondDoubles(
    engine,
    quoteIdentifier(table),
    names.filter((each) => integers.has(folded(each))),
  );
}

async function rejectBeyondDoubles(engine: Engine, relation: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const [[rows] = []] = await engine.run(
      `SELECT count(*) FROM ${relation} WHERE ${quoteIdentifier(name)} NOT BETWEEN -9007199254740992 AND 9007199254740992`,
    );
    if (Number(rows) > 0) {
      const message = `The column ${name} mixes fractions with integers beyond 2^53, and no type holds both exactly.`;
      throw new DataError('SCHEMA_MISMATCH', message);
    }
  }
}

const PART = 'files of one part';

/**
 * When files are read as one table, the engine converts integers of one file to doubles if another file has doubles.
 * Throws SCHEMA_MISMATCH for integers that would change.
 */
export async function rejectInexactTogether(
  engine: Engine,
  parts: readonly { columns: readonly Column[]; paths: () => Promise<readonly string[]> }[],
): Promise<void> {
  const named = (type: string, { columns }: { columns: readonly Column[] }) =>
    columns.filter((column) => column.type === type).map(({ name }) => name);
  const doubles = new Set(parts.flatMap((part) => named('double', part).map(folded)));
  for (const part of parts) {
    const integers = named('integer', part).filter((name) => doubles.has(folded(name)));
    if (integers.length === 0) continue;
    const paths = await part.paths();
    if (paths.length === 0) continue;
    // A locked engine reads only attached files.
    await engine.attach(PART, paths);
    await rejectBeyondDoubles(engine, quoteIdentifier(PART), integers);
  }
}

/** A type holds a value if casting it there and back does not change it. */
async function rejectLossy(engine: Engine, table: string, name: string, type: string): Promise<void> {
  const column = quoteIdentifier(name);
  const there = `TRY_CAST(v AS ${engineTypeOf(type)})`;
  const [[rows, example] = []] = await engine.run(
    `SELECT count(*), CAST(any_value(v) AS VARCHAR) FROM (SELECT ${column} AS v FROM ${quoteIdentifier(table)})
     WHERE v IS NOT NULL AND (${there} IS NULL OR ${there} IS DISTINCT FROM v)`,
  );
  if (Number(rows) > 0) {
    const message = `The column ${name} is ${type}, which cannot hold ${rows} values of the rows, such as ${String(example).slice(0, 100)}.`;
    throw new DataError('SCHEMA_MISMATCH', message);
  }
}

export const parquetFile = (path: string): string => `read_parquet([${quoteLiteral(path)}])`;
