import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Column } from '../../../../../shared/data/duckdb/column-types.ts';
import type { Engine } from '../../../../../shared/data/duckdb/engine.ts';
import { quoteLiteral } from '../../../../../shared/data/duckdb/quoting.ts';
import type { ObjectStore } from '../../../../../shared/platform/objects/object-store.ts';

/** Larger than the footer of nearly every file. */
const TAIL_BYTES = 256 * 1024;

export interface Footer {
  rows: number;
  columns: Column[];
  /** How the values of each column are stored, such as `INT64` or `BYTE_ARRAY UTF8`. */
  written: Map<string, string>;
}

/** Reads the footer of a Parquet file. DuckDB needs only the end of the file, so a sparse file replaces the rows. */
export async function readFooter(
  { objects, engine, scratchDir }: { objects: ObjectStore; engine: Engine; scratchDir: string },
  { key, sizeBytes }: { key: string; sizeBytes: number },
): Promise<Footer> {
  let tail = await objects.readEnd(key, Math.min(TAIL_BYTES, sizeBytes));
  const footerBytes = tail.readUInt32LE(tail.length - 8) + 8;
  if (footerBytes > tail.length) tail = await objects.readEnd(key, Math.min(footerBytes, sizeBytes));
  const path = join(scratchDir, `${randomUUID()}.parquet`);
  const file = await open(path, 'wx');
  try {
    await file.truncate(sizeBytes);
    await file.write(tail, 0, tail.length, sizeBytes - tail.length);
    await file.write('PAR1', 0);
    const from = quoteLiteral(path);
    const [[rows] = []] = await engine.run(`SELECT num_rows FROM parquet_file_metadata(${from})`);
    const columns = await engine.describe(`SELECT * FROM read_parquet(${from})`);
    const written = (await engine.run(
      `SELECT name, concat_ws(' ', type, converted_type) FROM parquet_schema(${from}) WHERE type IS NOT NULL`,
    )) as [string, string][];
    return { rows: Number(rows), columns, written: new Map(written) };
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

/** Whether Athena reads the values of a column as DuckDB does, given how they are stored. */
export function isReadAlike(type: string, written: string | undefined): boolean {
  const plain = type.startsWith('decimal') ? READ_ALIKE.decimal : READ_ALIKE[type];
  return plain?.test(written ?? '') === true;
}

const READ_ALIKE: Record<string, RegExp> = {
  string: /^BYTE_ARRAY UTF8$/,
  integer: /^INT(32|64)( INT_\d+)?$/,
  double: /^DOUBLE$/,
  boolean: /^BOOLEAN$/,
  date: /^INT32 DATE$/,
  decimal: /^(INT32|INT64|FIXED_LEN_BYTE_ARRAY|BYTE_ARRAY) DECIMAL$/,
};
