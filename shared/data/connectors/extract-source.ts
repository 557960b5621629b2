import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { DataError } from '../../platform/errors/data-error.ts';
import type { Engine } from '../duckdb/engine.ts';
import type { EngineParameter } from '../duckdb/parameters.ts';
import type { FileSource } from '../files/file-relation.ts';
import { formatOf } from '../files/format-of.ts';
import type { FileFormat } from '../files/formats.ts';
import { untilAborted, withSession } from './connection/abortable.ts';
import type { DatabaseExtract } from './extract/database-extract.ts';
import { extractFileToParquet } from './extract/file-extract.ts';
import type { Cursor } from './extract/incremental.ts';
import { connectMysql } from './mysql/connection.ts';
import { extractMysql } from './mysql/extract.ts';
import { type OpenOptions, openFileStore } from './open-source.ts';
import { connectPostgres, postgresTarget } from './postgres/connection.ts';
import { extractToParquet } from './postgres/extract.ts';
import type { ExtractResult } from './rows/text-rows.ts';
import type { SettingsOf, SourceSettings } from './source-types.ts';

/**
 * What to read: a file by its path, an endpoint or a table by its name, or a query, depending on the type of the
 * source.
 */
export type SourceObject =
  | { path: string; format?: FileFormat; options?: FileSource['options'] }
  | { schema?: string; table: string; decimalsAs?: string }
  | { query: string; params?: readonly unknown[]; decimalsAs?: string };

export interface SourceExtract {
  object: SourceObject;
  /** Defaults to all columns. */
  columns?: readonly string[];
  /** The user's SQL condition: in the dialect of the database, or in DuckDB's for files. */
  filter?: string;
  /** Values of `$1`, `$2`, … in the filter; numbering continues after the parameters of a query. */
  filterParams?: readonly EngineParameter[];
  cursor?: Cursor;
  /** Maximum number of bytes to read; more fails with RESULT_TOO_LARGE. */
  maxBytes?: number;
  /** Aborted when the rows are no longer needed. */
  signal: AbortSignal;
}

export interface ExtractPlace {
  engine: Engine;
  options: OpenOptions;
  /** Returns the path of a local copy of an uploaded file. Throws NOT_FOUND. */
  upload(path: string): Promise<string>;
}

const MAX_FILE_BYTES = 4 * 1024 ** 3;

/**
 * Reads rows of any source into a Parquet file. Throws a DataError: NOT_FOUND, SCHEMA_MISMATCH, FILE_UNREADABLE, SQL_…,
 * RESULT_TOO_LARGE, or an error of the connection.
 */
export async function extractSource(
  place: ExtractPlace,
  settings: SourceSettings,
  extract: SourceExtract,
  outPath: string,
): Promise<ExtractResult> {
  extract.signal.throwIfAborted();
  switch (settings.type) {
    case 'postgres':
      return fromPostgres(place, settings, extract, outPath);
    case 'mysql':
      return fromMysql(place, settings, extract, outPath);
    case 'file':
    case 's3':
    case 'http':
      return fromFile(place, settings, extract, outPath);
  }
}

async function fromPostgres(
  { engine, options }: ExtractPlace,
  { config, secrets }: SettingsOf<'postgres'>,
  extract: SourceExtract,
  outPath: string,
): Promise<ExtractResult> {
  const request = databaseExtract(extract, 'public');
  const dialled = connectPostgres(postgresTarget(config, secrets), options);
  return withSession(extract.signal, dialled, (source) => extractToParquet(engine, source, request, outPath));
}

async function fromMysql(
  { engine, options }: ExtractPlace,
  { config, secrets }: SettingsOf<'mysql'>,
  extract: SourceExtract,
  outPath: string,
): Promise<ExtractResult> {
  const request = databaseExtract(extract, config.database);
  const dialled = connectMysql(config, secrets, options);
  return withSession(extract.signal, dialled, (source) => extractMysql(engine, source, request, outPath));
}

function databaseExtract(extract: SourceExtract, defaultSchema: string): DatabaseExtract {
  const { object, columns, filter, filterParams, cursor, maxBytes } = extract;
  if ('path' in object) throw new DataError('NOT_FOUND', 'The data source is a database and has no files.');
  return {
    from: 'query' in object ? object : { schema: object.schema ?? defaultSchema, table: object.table },
    ...(columns ? { columns } : {}),
    ...(filter === undefined ? {} : { filter }),
    ...(filterParams ? { filterParams } : {}),
    ...(cursor ? { cursor } : {}),
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(object.decimalsAs === undefined ? {} : { decimalsAs: object.decimalsAs }),
  };
}

async function fromFile(
  place: ExtractPlace,
  settings: SettingsOf<'file' | 's3' | 'http'>,
  extract: SourceExtract,
  outPath: string,
): Promise<ExtractResult> {
  const { columns, filter, filterParams, cursor } = extract;
  const written = await extractFileToParquet(
    place.engine,
    {
      ...(await localFile(place, settings, extract)),
      ...(columns ? { columns: columns.map((name) => ({ name })) } : {}),
      ...(filter === undefined ? {} : { filter }),
      ...(filterParams ? { filterParams } : {}),
      ...(cursor ? { cursor } : {}),
    },
    outPath,
  );
  return { ...written, changes: written.changes ?? [] };
}

const UNKNOWN = { format: 'csv', isHint: true } as const;

async function localFile(
  place: ExtractPlace,
  settings: SettingsOf<'file' | 's3' | 'http'>,
  { object, maxBytes = MAX_FILE_BYTES, signal }: SourceExtract,
): Promise<FileSource> {
  const { type } = settings;
  if ('query' in object) throw new DataError('NOT_FOUND', `A data source of type ${type} cannot run queries.`);
  if ('path' in object !== (type !== 'http')) {
    const named = type === 'http' ? 'endpoints, which are named as tables' : 'files, which are named by a path';
    throw new DataError('NOT_FOUND', `A data source of type ${type} has ${named}.`);
  }
  const name = 'path' in object ? object.path : object.table;
  const file: Partial<Extract<SourceObject, { path: string }>> = 'path' in object ? object : {};
  const byName = formatOf(name);
  const known = file.format ? { format: file.format } : byName;
  const given = {
    ...(byName?.compression ? { compression: byName.compression } : {}),
    ...(file.options ? { options: file.options } : {}),
  };
  if (type === 'file') return { path: await place.upload(name), ...(known ?? UNKNOWN), ...given };
  const store = await untilAborted(signal, openFileStore(settings, place.options));
  const opened = await store.open(name, { maxBytes, signal });
  const path = place.engine.temporaryPath('download');
  await pipeline(opened.body, createWriteStream(path), { signal });
  // An endpoint has its format, whatever its name ends with.
  const { format, isHint = false } = (!file.format && opened.format) || known || UNKNOWN;
  return { path, format, isHint, ...(opened.options ? { options: opened.options } : {}), ...given };
}
