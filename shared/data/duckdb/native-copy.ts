import { rm, stat } from 'node:fs/promises';
import { openEngine } from './engine.ts';
import { type EngineOptions, NATIVE_TABLE } from './engine-contract.ts';
import { NAMES_OF_PLACES, parquetSource } from './parquet-source.ts';
import { quoteIdentifier, quoteLiteral } from './quoting.ts';

/** A local Parquet file, with the number of its rows. */
export interface CopiedFile {
  path: string;
  rows: number;
}

export interface NativeCopyOptions {
  engine: EngineOptions;
  /** A larger copy is not finished. */
  maxBytes: number;
  /** Awaited before each piece, so that other work comes first. */
  beforePiece(): Promise<void>;
}

/** About a fifth of a second for one thread. */
const PIECE_ROWS = 500_000;

/**
 * Writes the rows of Parquet files into a table of a DuckDB file, in their order. Scans of it take a third of the
 * processor time, because its columns need not be decompressed. Returns its size; undefined if there can be no copy, as
 * without space on the disk. Then no file is left at `path`.
 */
export async function writeNativeCopy(
  files: readonly CopiedFile[],
  path: string,
  { engine: options, maxBytes, beforePiece }: NativeCopyOptions,
): Promise<number | undefined> {
  let bytes: number | undefined;
  try {
    const engine = await openEngine(options);
    try {
      const isWhole = await fill((sql) => engine.run(sql), files, path, { maxBytes, beforePiece });
      if (isWhole) bytes = (await stat(path)).size;
    } finally {
      await engine.close();
    }
  } catch {
    // Statements go on reading the Parquet files.
  }
  if (bytes === undefined || bytes > maxBytes) {
    await Promise.all([path, `${path}.wal`].map((file) => rm(file, { force: true })));
    return undefined;
  }
  return bytes;
}

/** Returns whether all rows are in the file. */
async function fill(
  run: (sql: string) => Promise<unknown[][]>,
  files: readonly CopiedFile[],
  path: string,
  { maxBytes, beforePiece }: Omit<NativeCopyOptions, 'engine'>,
): Promise<boolean> {
  const source = parquetSource(files.map((file) => file.path));
  const columns = await run(`SELECT column_name FROM (DESCRIBE SELECT * FROM ${source})`);
  // Such a column hides the numbers of rows, by which pieces are chosen.
  if (columns.some(([name]) => NAMES_OF_PLACES.has(String(name).toLowerCase()))) return false;
  await run(`ATTACH ${quoteLiteral(path)} AS made (STORAGE_VERSION 'latest')`);
  const table = `made.main.${quoteIdentifier(NATIVE_TABLE)}`;
  await run(`CREATE TABLE ${table} AS SELECT * FROM ${source} LIMIT 0`);
  for (const file of files) {
    for (let from = 0; from < file.rows; from += PIECE_ROWS) {
      await beforePiece();
      // Files of several versions may lack columns.
      await run(
        `INSERT INTO ${table} BY NAME SELECT * FROM ${parquetSource([file.path])} WHERE file_row_number >= ${from} AND file_row_number < ${from + PIECE_ROWS}`,
      );
      if ((await stat(path)).size > maxBytes) return false;
    }
  }
  const [[rows] = []] = await run(`SELECT count(*) FROM ${table}`);
  await run('DETACH made');
  return Number(rows) === files.reduce((sum, file) => sum + file.rows, 0);
}
