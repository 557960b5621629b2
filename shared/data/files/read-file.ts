import { DataError } from '../../platform/errors/data-error.ts';
import { didYouMean } from '../../platform/text/nearest.ts';
import { type Column, engineTypeOf } from '../duckdb/column-types.ts';
import type { CopyResult, Engine, QueryResult } from '../duckdb/engine.ts';
import type { EngineParameter } from '../duckdb/parameters.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import { checkCondition } from '../sql/condition-check.ts';
import type { ColumnChange } from './changed-values.ts';
import { type FileRelation, isMisfit, provenRelation, type RejectedRows } from './csv-source.ts';
import { type FileSource, openFile, readingFile } from './file-relation.ts';
import { listSheets } from './xlsx-workbook.ts';

/** A column to read. With `type`, its values are converted to it. */
export interface WantedColumn {
  name: string;
  type?: string;
}

export interface FileReading {
  /** Defaults to all columns of the file. */
  columns?: readonly WantedColumn[];
  /** The user's SQL condition over the file's columns; only rows for which it is true are read. */
  filter?: string;
  /** Values of `$1`, `$2`, … in the filter. */
  filterParams?: readonly EngineParameter[];
}

export interface ConvertedFile extends CopyResult {
  /** Rows that were left out, if the options allow that. */
  rejected?: RejectedRows;
  /** Values that could not be kept exactly. */
  changes?: ColumnChange[];
}

const TYPE_SAMPLE_ROWS = 20_000;

export interface InspectedFile extends QueryResult {
  /** The sheets of a workbook. */
  sheets?: { name: string; isHidden: boolean }[];
}

/** Returns the columns of a file and its first rows. Types come from the first 20,000 rows. Throws FILE_UNREADABLE. */
export function inspectFile(
  engine: Engine,
  path: string,
  options: Omit<FileSource, 'path'> & { sampleRows?: number },
): Promise<InspectedFile> {
  return readingFile(options, async () => {
    const { sql, format } = await openFile(engine, { path, ...options }, TYPE_SAMPLE_ROWS);
    const found = await engine.query(sql, { limit: options.sampleRows ?? 20, maxBytes: 1024 * 1024 });
    if (format !== 'xlsx') return found;
    return { ...found, sheets: (await listSheets(path)).map(({ name, isHidden }) => ({ name, isHidden })) };
  });
}

/**
 * Writes a whole file as Parquet, with types that fit all of its rows. Throws FILE_UNREADABLE for a broken file,
 * SCHEMA_MISMATCH for a missing column or a value that does not fit the requested type, and the issues of the filter.
 */
export function convertToParquet(
  engine: Engine,
  source: FileSource & FileReading,
  outPath: string,
): Promise<ConvertedFile> {
  return readingFile(source, async () => {
    const opened = await openFile(engine, source);
    const write = async (relation: FileRelation) => {
      const sql = await readingSql(engine, relation, source);
      const written = await engine.copyToParquet(sql, { params: source.filterParams ?? [], path: outPath });
      return { ...written, ...reportOf(relation, source) };
    };
    // Rows that the filter leaves out count for the types, too, and a conversion must not fail before its type is
    // known.
    const isPlain = source.filter === undefined && !source.columns?.some(({ type }) => type !== undefined);
    if (!isPlain) return write(await provenRelation(opened));
    return write(opened).catch(async (error) => {
      if (!isMisfit(error)) throw error;
      return write(await provenRelation(opened));
    });
  });
}

/** What to report about the rows and the requested columns of a file. */
export function reportOf(
  { rejected, changes }: FileRelation,
  { columns }: FileReading,
): Pick<ConvertedFile, 'rejected' | 'changes'> {
  const names = columns && new Set(columns.map(({ name }) => name));
  const wanted = changes?.filter(({ column }) => !names || names.has(column));
  return { ...(rejected && { rejected }), ...(wanted?.length ? { changes: wanted } : {}) };
}

/** A SELECT of the requested columns and rows of a file. */
export async function readingSql(
  engine: Engine,
  relation: Pick<FileRelation, 'sql' | 'columns'>,
  reading: FileReading,
): Promise<string> {
  const list = wantedColumns(relation.columns, reading.columns);
  const where = reading.filter === undefined ? '' : ` WHERE (${(await checkCondition(engine, reading.filter)).sql}\n)`;
  return `SELECT ${list.join(', ')} FROM (${relation.sql}) AS input${where}`;
}

function wantedColumns(found: readonly Column[], wanted?: readonly WantedColumn[]): string[] {
  if (!wanted) return found.map(({ name }) => quoteIdentifier(name));
  const names = new Set(found.map(({ name }) => name));
  const missing = wanted.filter(({ name }) => !names.has(name));
  if (missing.length > 0) {
    throw DataError.ofIssues(
      missing.map(({ name }) => ({
        code: 'SCHEMA_MISMATCH' as const,
        message: `There is no column "${name}"${didYouMean(name, names)}`,
      })),
    );
  }
  return wanted.map(({ name, type }) => {
    const column = quoteIdentifier(name);
    return type === undefined ? column : `${column}::${engineTypeOf(type)} AS ${column}`;
  });
}
