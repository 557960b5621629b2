import { formatOf, type NamedFormat } from '../../../../shared/data/files/format-of.ts';
import type { FileFormat } from '../../../../shared/data/files/formats.ts';
import type { InspectAnswer } from '../../../../shared/domains/engine/index.ts';
import { type StoredDataSource, uploadKey } from '../../../../shared/domains/warehouse/sources/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Connections } from '../connections.ts';
import type { SourceFiles } from '../files.ts';
import type { Inspection } from '../inspection.ts';
import { type PreviewQuery, previewOptions, rejectInvalidOptions } from '../preview-options.ts';
import { type ColumnList, isFilePath, type SchemaList, type TableList } from '../schemas.ts';
import { type Catalogues, syncedColumns, syncedTables } from './read-catalogue.ts';

interface Deps {
  connections: Connections;
  files: SourceFiles;
  inspection: Inspection;
  catalogues: Catalogues;
}

export interface TablePart {
  from?: 'source' | 'catalogue';
  schema?: string;
  limit: number;
  after?: string;
}

/** Lists what a source contains: schemas, tables and columns of a database, or files with their columns. */
export async function discoverSchemas(deps: Deps, source: StoredDataSource): Promise<SchemaList> {
  if (source.type === 'file') return { items: [] };
  const names = await deps.connections.use<string[]>(source, {
    database: (connection) => connection.schemas(),
    files: async () => [],
  });
  return { items: names.map((name) => ({ name })) };
}

/** Reads one item more than requested, to know whether there are more. */
export async function discoverTables(deps: Deps, source: StoredDataSource, query: TablePart): Promise<TableList> {
  const { limit, after } = query;
  const catalogue = await deps.catalogues.of(source);
  if (query.from === 'catalogue') return syncedTables(catalogue, query);
  const part = { limit: limit + 1, ...(after === undefined ? {} : { after }) };
  const found =
    source.type === 'file'
      ? await uploads(deps, source, part)
      : await deps.connections.use<TableList['items']>(source, {
          database: async (connection, defaultSchema) => {
            const schema = query.schema ?? defaultSchema;
            return (await connection.tables(schema, part)).map((table) => ({ schema, ...table }));
          },
          files: async (store) => (await store.list(part)).map((file) => ({ schema: '', ...file })),
        });
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? items.at(-1)!.name : null, syncedAt: catalogue?.syncedAt ?? null };
}

async function uploads(deps: Deps, source: StoredDataSource, part: { limit: number; after?: string }) {
  const prefix = uploadKey(source.workspaceId, source.id, '');
  const files = await deps.files.list(prefix, part);
  return files.map(({ key, sizeBytes, updatedAt }) => ({
    schema: '',
    name: key.slice(prefix.length),
    kind: 'file' as const,
    sizeBytes,
    updatedAt,
  }));
}

type FileQuery = { table: string; format?: FileFormat } & PreviewQuery;

export async function discoverColumns(
  deps: Deps,
  source: StoredDataSource,
  query: FileQuery & { from?: 'source' | 'catalogue'; schema?: string },
): Promise<ColumnList> {
  if (query.from === 'catalogue') return syncedColumns(await deps.catalogues.of(source), query);
  if (source.type === 'file') return uploadColumns(deps, source, query);
  const { table } = query;
  return deps.connections.use<ColumnList>(source, {
    database: async (connection, defaultSchema) => ({
      items: await connection.columns(query.schema ?? defaultSchema, table),
    }),
    files: async (store) =>
      showColumns(await deps.inspection.ofFile(store, table, namedFormat(query), previewOptions(query))),
  });
}

async function uploadColumns(deps: Deps, source: StoredDataSource, query: FileQuery): Promise<ColumnList> {
  // Only paths that an upload can have are looked up: dots must not lead out of the source.
  const file = isFilePath(query.table)
    ? await deps.files.find(uploadKey(source.workspaceId, source.id, query.table))
    : undefined;
  if (!file) throw new AppError('FILE_NOT_FOUND');
  const format = namedFormat(query);
  if (!format) {
    throw new AppError('VALIDATION_FAILED', {
      errors: [
        { pointer: '/query/format', code: 'REQUIRED', message: 'is required: the file name does not indicate it' },
      ],
    });
  }
  const { key, etag } = file;
  const options = previewOptions(query);
  rejectInvalidOptions(options, format.format);
  return showColumns(await deps.inspection.ofObject({ key, etag }, format, options));
}

/** The given format takes precedence over the name, but a name that ends in `.gz` always means a compressed file. */
function namedFormat({ table, format }: { table: string; format?: FileFormat }): NamedFormat | undefined {
  if (!format) return formatOf(table);
  return { format, ...(table.toLowerCase().endsWith('.gz') ? { compression: 'gzip' as const } : {}) };
}

const showColumns = ({ columns, rowsJson, sheets }: InspectAnswer): ColumnList => ({
  items: columns,
  sample: JSON.parse(rowsJson) as unknown[][],
  ...(sheets ? { sheets } : {}),
});
