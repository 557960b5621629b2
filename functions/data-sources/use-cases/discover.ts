import { type StoredDataSource, uploadKey } from '../../../shared/data-sources/record.ts';
import type { EngineFunction } from '../../../shared/engine-function/client.ts';
import { AppError } from '../../../shared/errors/app-error.ts';
import { FILE_FORMATS, type FileFormat } from '../../../shared/files/formats.ts';
import { listColumns, listSchemas, listTables } from '../../../shared/sources/postgres-catalog.ts';
import type { Connections } from '../connections.ts';
import type { SourceFiles } from '../files.ts';
import { type ColumnList, isFilePath, type SchemaList, type TableList } from '../schemas.ts';

interface Deps {
  connections: Connections;
  files: SourceFiles;
  engine: EngineFunction;
}

const DEFAULT_SCHEMA = 'public';
const SAMPLE_ROWS = 20;

/** What is in a source: schemas, tables and columns of a database, files and their columns of a file source. */
export async function discoverSchemas(deps: Deps, source: StoredDataSource): Promise<SchemaList> {
  if (source.type === 'file') return { items: [] };
  const names = await deps.connections.use(source, listSchemas);
  return { items: names.map((name) => ({ name })) };
}

export async function discoverTables(
  deps: Deps,
  source: StoredDataSource,
  schema = DEFAULT_SCHEMA,
): Promise<TableList> {
  if (source.type === 'file') {
    const prefix = uploadKey(source.workspaceId, source.id, '');
    const files = await deps.files.list(prefix);
    return {
      items: files.map(({ key, sizeBytes, updatedAt }) => ({
        schema: '',
        name: key.slice(prefix.length),
        kind: 'file' as const,
        sizeBytes,
        updatedAt,
      })),
    };
  }
  const tables = await deps.connections.use(source, (connection) => listTables(connection, schema));
  return { items: tables.map((table) => ({ schema, ...table })) };
}

export async function discoverColumns(
  deps: Deps,
  source: StoredDataSource,
  query: { schema?: string; table: string; format?: FileFormat },
): Promise<ColumnList> {
  if (source.type !== 'file') {
    const { schema = DEFAULT_SCHEMA, table } = query;
    return { items: await deps.connections.use(source, (connection) => listColumns(connection, schema, table)) };
  }
  // Where no upload can have put a file none is looked for: dots must not lead out of the source.
  const file = isFilePath(query.table)
    ? await deps.files.find(uploadKey(source.workspaceId, source.id, query.table))
    : undefined;
  if (!file) throw new AppError('FILE_NOT_FOUND');
  const format = query.format ?? formatOf(query.table);
  const { key, etag } = file;
  const { columns, rowsJson } = await deps.engine.inspect({
    file: { key, etag },
    format,
    options: {},
    sampleRows: SAMPLE_ROWS,
  });
  return { items: columns, sample: JSON.parse(rowsJson) as unknown[][] };
}

/** By the ending of the name; what has no known one must be said. */
function formatOf(path: string): FileFormat {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const format = ENDINGS[ending] ?? FILE_FORMATS.find((known) => known === ending);
  if (!format) {
    throw new AppError('VALIDATION_FAILED', {
      errors: [
        { pointer: '/query/format', code: 'REQUIRED', message: 'is required: the name of the file does not tell' },
      ],
    });
  }
  return format;
}

const ENDINGS: Record<string, FileFormat> = { tsv: 'csv', jsonl: 'ndjson', parq: 'parquet' };
