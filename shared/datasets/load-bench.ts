import { engineTypeOf } from '../engine/column-types.ts';
import type { Engine } from '../engine/engine.ts';
import { EngineError } from '../engine/engine-error.ts';
import { quoteIdentifier, quoteLiteral } from '../engine/quoting.ts';
import type { ObjectCache } from '../objects/object-cache.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import type { DataFile, DatasetColumn } from './record.ts';

/** What an attempt prepares a load with. Nothing that it stores is visible before the load commits. */
export interface LoadBench {
  engine: Engine;
  objects: ObjectStore;
  cache: ObjectCache;
  /** A key of the dataset that no other attempt uses, another one each time. */
  nextKey(): string;
  /** A path on the scratch disk. */
  scratchFile(): string;
}

/** Makes files of the dataset readable as a table. */
export async function attachFiles(
  { engine, cache }: LoadBench,
  name: string,
  files: readonly DataFile[],
  columns: readonly DatasetColumn[],
): Promise<void> {
  await engine.attach(name, await cache.fetchAll(files), { emptySchema: columns });
}

/** The rows of a table with some of its columns converted, as an expression that can stand behind FROM. */
export async function convertedRows(
  { engine }: LoadBench,
  table: string,
  names: readonly string[],
  columns: readonly DatasetColumn[],
): Promise<string> {
  if (names.length === 0) return quoteIdentifier(table);
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  await refuseInexact(
    engine,
    table,
    names.filter((name) => types.get(name) === 'double'),
  );
  const replaced = names.map((name) => {
    const column = quoteIdentifier(name);
    return `CAST(${column} AS ${engineTypeOf(types.get(name)!)}) AS ${column}`;
  });
  return `(SELECT * REPLACE (${replaced.join(', ')}) FROM ${quoteIdentifier(table)})`;
}

/** Doubles hold integers up to 2^53; beyond, two different ids would become one. */
async function refuseInexact(engine: Engine, table: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const column = quoteIdentifier(name);
    const [[rows] = []] = await engine.run(
      `SELECT count(*) FROM ${quoteIdentifier(table)} WHERE abs(CAST(${column} AS HUGEINT)) > 9007199254740992`,
    );
    if (Number(rows) > 0) {
      const message = `The column ${name} mixes fractions with integers beyond 2^53: no type holds both exactly.`;
      throw new EngineError('SCHEMA_MISMATCH', message);
    }
  }
}

export const parquetFile = (path: string): string => `read_parquet([${quoteLiteral(path)}])`;
