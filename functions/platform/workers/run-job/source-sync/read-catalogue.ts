import type {
  DatabaseConnection,
  ListPart,
  SourceTable,
} from '../../../../../shared/data/connectors/connection/connector.ts';
import { openSource } from '../../../../../shared/data/connectors/open-source.ts';
import {
  type Catalogue,
  type CatalogueTable,
  type StoredDataSource,
  unseal,
  uploadKey,
} from '../../../../../shared/domains/warehouse/sources/index.ts';
import { DataError } from '../../../../../shared/platform/errors/data-error.ts';
import { webhookSchemes } from '../../../../../shared/platform/net/guard-from-environment.ts';
import { JobFailure } from '../job-kind.ts';
import type { SyncLimits, SyncWorker } from './sync-worker.ts';
export const SYNC_LIMITS: SyncLimits = { tables: 50_000, columns: 200_000 };

const TIMEOUTS = { connectMs: 15_000, statementMs: 60_000 };
const TABLES_AT_ONCE = 1000;

interface Reading {
  limits: SyncLimits;
  signal: AbortSignal;
  /** Called with the number of tables read so far. */
  report(tables: number): void;
}

/**
 * Reads the contents of a source: all schemas with tables and columns, or all files. Throws TOO_LARGE beyond the
 * limits.
 */
export async function readCatalogueOf(
  worker: SyncWorker,
  source: StoredDataSource,
  reading: Omit<Reading, 'limits'>,
): Promise<Catalogue> {
  const within = { ...reading, limits: worker.syncLimits };
  const settings = await unseal(worker.secrets, source);
  if (settings.type === 'file') {
    const prefix = uploadKey(source.workspaceId, source.id, '');
    const uploads = await worker.objects.list(prefix);
    return filesOf(
      uploads.map(({ key, ...file }) => ({ name: key.slice(prefix.length), kind: 'file' as const, ...file })),
      within,
    );
  }
  const options = {
    guard: worker.guard,
    schemes: webhookSchemes(),
    ownBucket: worker.ownBucket,
    timeouts: TIMEOUTS,
  };
  const opened = openSource(settings, options);
  if (opened.kind === 'files') {
    const store = await opened.store();
    return filesOf(await allOf((part) => store.list(part), within, 0), within);
  }
  const connection = await opened.dial();
  try {
    return await databaseCatalogue(connection, opened.defaultSchema, within);
  } finally {
    await connection.close();
  }
}

function filesOf(files: SourceTable[], { limits, report }: Reading): Catalogue {
  rejectMore('files', files.length, limits.tables);
  report(files.length);
  const tables = files.map((file) => ({ schema: '', ...file, columns: null }));
  return { defaultSchema: '', schemas: [], tables };
}

async function databaseCatalogue(
  connection: DatabaseConnection,
  defaultSchema: string,
  reading: Reading,
): Promise<Catalogue> {
  const schemas = await connection.schemas();
  const tables: CatalogueTable[] = [];
  let columnCount = 0;
  for (const schema of schemas) {
    const found = await allOf((part) => connection.tables(schema, part), reading, tables.length);
    for (const table of found) {
      reading.signal.throwIfAborted();
      const columns = await readableColumns(connection, schema, table.name);
      // The table was dropped after it was listed.
      if (columns === 'gone') continue;
      columnCount += columns?.length ?? 0;
      rejectMore('columns', columnCount, reading.limits.columns);
      tables.push({ schema, ...table, columns });
      reading.report(tables.length);
    }
  }
  return { defaultSchema, schemas, tables };
}

/** Null if the table cannot be read as a whole; an error of the connection ends the sync. */
async function readableColumns(connection: DatabaseConnection, schema: string, table: string) {
  try {
    return await connection.columns(schema, table);
  } catch (error) {
    if (!(error instanceof DataError) || !connection.usable) throw error;
    return error.code === 'NOT_FOUND' ? 'gone' : null;
  }
}

async function allOf(
  list: (part: ListPart) => Promise<SourceTable[]>,
  { limits, signal }: Reading,
  before: number,
): Promise<SourceTable[]> {
  const all: SourceTable[] = [];
  for (let after: string | undefined; ; after = all.at(-1)!.name) {
    signal.throwIfAborted();
    const part = await list({ limit: TABLES_AT_ONCE, ...(after === undefined ? {} : { after }) });
    all.push(...part);
    rejectMore('tables or files', before + all.length, limits.tables);
    if (part.length < TABLES_AT_ONCE) return all;
  }
}

function rejectMore(what: string, found: number, limit: number): void {
  if (found > limit) throw new JobFailure('TOO_LARGE', `The source has more than ${limit} ${what}.`);
}
