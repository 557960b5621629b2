import type { Column } from '../../duckdb/column-types.ts';
import type { CopyResult, Engine } from '../../duckdb/engine.ts';
import { quoteIdentifier } from '../../duckdb/quoting.ts';
import { type FileRelation, provenRelation } from '../../files/csv-source.ts';
import { type FileSource, openFile, readingFile } from '../../files/file-relation.ts';
import { type ConvertedFile, convertToParquet, type FileReading, readingSql, reportOf } from '../../files/read-file.ts';
import { type Cursor, cursorBounds, cursorType, lacksCursor, type Watermark, writeIncrement } from './incremental.ts';

/** Writes a file with these columns and no rows, for a read that finds no records. */
export async function writeNoRows(engine: Engine, columns: readonly Column[], outPath: string): Promise<CopyResult> {
  await engine.attach('no_rows', [], { emptySchema: columns });
  return engine.copyToParquet('SELECT * FROM no_rows', { path: outPath });
}

export type FileExtract = FileSource & FileReading & { cursor?: Cursor };

/** Like `convertToParquet`; with a cursor, only rows newer than its watermark are written, as with a database. */
export function extractFileToParquet(
  engine: Engine,
  extract: FileExtract,
  outPath: string,
): Promise<ConvertedFile & { watermark?: Watermark }> {
  if (!extract.cursor) return convertToParquet(engine, extract, outPath);
  return readingFile(extract, async () => {
    const relation = await provenRelation(await openFile(engine, extract));
    const written = await extractRelation(engine, relation, extract, outPath);
    return { ...written, ...reportOf(relation, extract) };
  });
}

/** Writes the wanted rows of a relation; with a cursor, only those newer than its watermark. */
export async function extractRelation(
  engine: Engine,
  relation: Pick<FileRelation, 'sql' | 'columns'>,
  extract: FileReading & { cursor?: Cursor },
  outPath: string,
): Promise<CopyResult & { watermark?: Watermark }> {
  const { cursor, filterParams: params = [] } = extract;
  const all = await readingSql(engine, relation, extract);
  if (!cursor) return engine.copyToParquet(all, { params, path: outPath });
  const columns = await engine.describe(all, params);
  const type = cursorType(columns, cursor);
  const column = quoteIdentifier(cursor.column);
  const [[nullCursorRows] = []] = await engine.run(
    `SELECT count(*) FROM (${all}) WHERE ${lacksCursor(column, type)}`,
    params,
  );
  const within = `SELECT * FROM (${all}) WHERE ${cursorBounds(column, type, cursor).join(' AND ')}`;
  const increment = { params, columns, cursor, nullCursorRows: Number(nullCursorRows) };
  return writeIncrement(engine, within, increment, outPath);
}
