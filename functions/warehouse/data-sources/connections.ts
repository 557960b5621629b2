import type { ConnectionPool } from '../../../shared/data/connectors/connection/connection-pool.ts';
import type { ConnectionTest, DatabaseConnection } from '../../../shared/data/connectors/connection/connector.ts';
import type { FileStore } from '../../../shared/data/connectors/connection/file-store.ts';
import { type OpenOptions, openSource } from '../../../shared/data/connectors/open-source.ts';
import type { SourceSettings } from '../../../shared/data/connectors/source-types.ts';
import { testSource } from '../../../shared/data/connectors/test-source.ts';
import { type StoredDataSource, unseal } from '../../../shared/domains/warehouse/sources/index.ts';
import type { SecretBox } from '../../../shared/platform/crypto/secret-box.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { DataError } from '../../../shared/platform/errors/data-error.ts';

/** Long enough for a serverless database to resume, short enough for an interactive request. */
export const TIMEOUTS = { connectMs: 8_000, statementMs: 10_000 };

/** The gateway waits 29 seconds; the remainder is for the rest of the request. */
const REQUEST_MS = 25_000;

export type ExternalSource = Exclude<StoredDataSource, { type: 'file' }>;
export type ExternalSettings = Exclude<SourceSettings, { type: 'file' }>;

/** One function for each kind of source. */
export interface Readers<T> {
  database(connection: DatabaseConnection, defaultSchema: string): Promise<T>;
  files(store: FileStore): Promise<T>;
}

export interface Connections {
  /** Connects again, ignoring pooled connections and earlier failures. Never throws for errors of the other side. */
  test(settings: ExternalSettings): Promise<ConnectionTest>;
  testStored(source: ExternalSource): Promise<ConnectionTest>;
  /** Throws `TABLE_NOT_FOUND`, or `DATA_SOURCE_UNREACHABLE` with the reason. */
  use<T>(source: ExternalSource, readers: Readers<T>): Promise<T>;
}

export function connections(options: OpenOptions, secrets: SecretBox, pool: ConnectionPool): Connections {
  const test = (settings: ExternalSettings) => testSource(openSource(settings, options));

  return {
    test,
    testStored: async (source) => test((await unseal(secrets, source)) as ExternalSettings),

    async use(source, readers) {
      const opened = openSource((await unseal(secrets, source)) as ExternalSettings, options);
      try {
        if (opened.kind === 'files') return await readers.files(await opened.store());
        // Changed settings have another revision, and so get connections of their own.
        const dial = () => opened.dial().catch(throwDialError);
        const read = (connection: DatabaseConnection) => readers.database(connection, opened.defaultSchema);
        return await pool.use(`${source.id}#${source.revision}`, dial, read, REQUEST_MS);
      } catch (cause) {
        throw cause instanceof DataError ? unreachable(cause) : cause;
      }
    },
  };
}

/** While connecting, NOT_FOUND refers to the database, not to a table. */
function throwDialError(cause: unknown): never {
  throw cause instanceof DataError ? noConnection(cause) : cause;
}

function unreachable(cause: DataError): AppError {
  const { code, message } = cause;
  if (code === 'NOT_FOUND') return new AppError('TABLE_NOT_FOUND', { cause, detail: message });
  if (code === 'FILE_UNREADABLE') return new AppError('FILE_UNREADABLE', { cause, detail: message });
  return noConnection(cause);
}

function noConnection(cause: DataError): AppError {
  const { code, message } = cause;
  return new AppError('DATA_SOURCE_UNREACHABLE', { cause, detail: message, errors: [{ pointer: '', code, message }] });
}
