import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { DataError } from '../../platform/errors/data-error.ts';
import type { Engine } from '../duckdb/engine.ts';
import type { EngineParameter } from '../duckdb/parameters.ts';
import type { FileSource } from '../files/file-relation.ts';
import { formatOf } from '../files/format-of.ts';
import type { FileFormat } from '../files/formats.ts';
import { conversing, untilAborted } from './connection/until-aborted.ts';
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

/** A file by its path, an endpoint or a table by its name, or a query: what the type of the source has. */
export type SourceObject =
  | { path: string; format?: FileFormat; options?: FileSource['options'] }
  | { schema?: string; table: string }
  | { query: string; params?: readonly unknown[] };

export interface SourceExtract {
  object: SourceObject;
  /** All columns when absent. */
  columns?: readonly string[];
  /** A SQL condition of the user: in the dialect of the database, or DuckDB's for files. */
  filter?: string;
  /** Values of `$1`, `$2`, … in the filter; behind a query with values of its own the count goes on. */
  filterParams?: readonly EngineParameter[];
  cursor?: Cursor;
  /** Most bytes to take from the source; more fails with RESULT_TOO_LARGE. */
  maxBytes?: number;
  /** Aborted when nobody wants the rows any more. */
  signal: AbortSignal;
}

export interface ExtractPlace {
  engine: Engine;
  options: OpenOptions;
  /** A local copy of an upload of the source. Throws NOT_FOUND. */
  upload(path: string): Promise<string>;
}

const MAX_FILE_BYTES = 4 * 1024 ** 3;

/**
 * Reads rows of any source into a Parquet file. Throws DataError: NOT_FOUND, SCHEMA_MISMATCH, FILE_UNREADABLE, SQL_…,
 * RESULT_TOO_LARGE, or what stands between us and the source.
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
  const wanted = databaseExtract(extract, 'public');
  const dialled = connectPostgres(postgresTarget(config, secrets), options);
  return conversing(extract.signal, dialled, (source) => extractToParquet(engine, source, wanted, outPath));
}

async function fromMysql(
  { engine, options }: ExtractPlace,
  { config, secrets }: SettingsOf<'mysql'>,
  extract: SourceExtract,
  outPath: string,
): Promise<ExtractResult> {
  const wanted = databaseExtract(extract, config.database);
  const dialled = connectMysql(config, secrets, options);
  return conversing(extract.signal, dialled, (source) => extractMysql(engine, source, wanted, outPath));
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
  return { ...written, lossyValues: [] };
}

async function localFile(
  place: ExtractPlace,
  settings: SettingsOf<'file' | 's3' | 'http'>,
  { object, maxBytes = MAX_FILE_BYTES, signal }: SourceExtract,
): Promise<FileSource> {
  const { type } = settings;
  if ('query' in object) throw new DataError('NOT_FOUND', `A data source of type ${type} takes no queries.`);
  if ('path' in object !== (type !== 'http')) {
    const named = type === 'http' ? 'endpoints, which are named as tables' : 'files, which are named by a path';
    throw new DataError('NOT_FOUND', `A data source of type ${type} has ${named}.`);
  }
  const name = 'path' in object ? object.path : object.table;
  const said: Partial<Extract<SourceObject, { path: string }>> = 'path' in object ? object : {};
  const byName = formatOf(name);
  const format = said.format ?? byName?.format;
  const given = {
    ...(byName?.compression ? { compression: byName.compression } : {}),
    ...(said.options ? { options: said.options } : {}),
  };
  if (type === 'file') return { path: await place.upload(name), format: format ?? 'csv', ...given };
  const store = await untilAborted(signal, openFileStore(settings, place.options));
  const opened = await store.open(name, { maxBytes, signal });
  const path = place.engine.temporaryPath('download');
  await pipeline(opened.body, createWriteStream(path), { signal });
  return { path, format: format ?? opened.format?.format ?? 'csv', ...given };
}
