import type { CopyResult, Engine } from '../engine/engine.ts';
import { quoteIdentifier } from '../engine/quoting.ts';
import { type FileSource, openFile, readingFile } from '../files/file-relation.ts';
import { convertToParquet, type FileReading, readingSql } from '../files/read-file.ts';
import { type Cursor, cursorBounds, cursorType, type Watermark, writeIncrement } from './incremental.ts';

export type FileExtract = FileSource & FileReading & { cursor?: Cursor };

/** `convertToParquet`, and with a cursor only the rows that are new since its watermark, as with a database. */
export function extractFileToParquet(
  engine: Engine,
  extract: FileExtract,
  outPath: string,
): Promise<CopyResult & { watermark?: Watermark }> {
  const { cursor } = extract;
  if (!cursor) return convertToParquet(engine, extract, outPath);
  return readingFile(async () => {
    const all = await readingSql(engine, await openFile(engine, extract), extract);
    const columns = await engine.describe(all);
    const type = cursorType(columns, cursor);
    const column = quoteIdentifier(cursor.column);
    const [[nullCursorRows] = []] = await engine.run(`SELECT count(*) FROM (${all}) WHERE ${column} IS NULL`);
    const within = `SELECT * FROM (${all}) WHERE ${cursorBounds(column, type, cursor).join(' AND ')}`;
    return writeIncrement(engine, within, { columns, cursor, nullCursorRows: Number(nullCursorRows) }, outPath);
  });
}
