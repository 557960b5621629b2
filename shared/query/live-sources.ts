import type { SecretBox } from '../crypto/secret-box.ts';
import type { SettingsOf, StoredDataSource } from '../data-sources/record.ts';
import type { DataSourceRepository } from '../data-sources/repository.ts';
import { unseal } from '../data-sources/unseal.ts';
import { EngineError, type EngineErrorCode } from '../engine/engine-error.ts';
import type { EngineFunction } from '../engine-function/client.ts';
import { AppError } from '../errors/app-error.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import type { AddressGuard } from '../net/address-guard.ts';
import type { ConnectionPool } from '../sources/connection-pool.ts';
import type { LiveResult } from '../sources/connector.ts';
import { mysqlParameterNames, mysqlParameters } from '../sources/mysql-parameters.ts';
import { type DatabaseType, isDatabase, openDatabase } from '../sources/open-database.ts';
import { parameterNames, positionalParameters } from '../sql/positional-parameters.ts';
import { type Computed, MOST_TEXT_BYTES, type QueryCommand } from './command.ts';

export type LiveSource = Extract<StoredDataSource, { type: DatabaseType }>;

/** Databases that are read where they are, in their own dialect. */
export interface LiveSources {
  /** Throws DATA_SOURCE_NOT_FOUND, or SOURCE_NOT_QUERYABLE for a source that is no database. */
  find(workspaceId: string, sourceId: string): Promise<LiveSource>;
  /** Whether the gate passes the statement; throws its errors. */
  check(source: LiveSource, sql: string): Promise<{ tables: string[]; parameters: string[] }>;
  /** Throws the statement's own errors, DATA_SOURCE_UNREACHABLE and ADDRESS_BLOCKED. */
  run(source: LiveSource, command: QueryCommand): Promise<Computed>;
}

interface Deps {
  sources: DataSourceRepository;
  secrets: SecretBox;
  guard: AddressGuard;
  pool: ConnectionPool;
  engine: Pick<EngineFunction, 'check'>;
}

const CONNECT_MS = 8_000;

/** Codes of a statement that a source refused; whatever else goes wrong is the source's affair. */
const STATEMENT_CODES: Partial<Record<EngineErrorCode, ErrorCode>> = {
  SQL_PARSE: 'SQL_PARSE',
  SQL_NOT_READ_ONLY: 'SQL_NOT_READ_ONLY',
  SQL_ERROR: 'SQL_ERROR',
  NOT_FOUND: 'SQL_ERROR',
  SCHEMA_MISMATCH: 'SQL_ERROR',
  PERMISSION_DENIED: 'SQL_ERROR',
  RESULT_TOO_LARGE: 'RESULT_TOO_LARGE',
  TIMEOUT: 'QUERY_TIMEOUT',
};

export function liveSources({ sources, secrets, guard, pool, engine }: Deps): LiveSources {
  return {
    async find(workspaceId, sourceId) {
      const source = await sources.get(workspaceId, sourceId);
      if (!source) throw new AppError('DATA_SOURCE_NOT_FOUND');
      if (!isDatabase(source)) throw new AppError('SOURCE_NOT_QUERYABLE');
      return source;
    },

    async check({ type }, sql) {
      if (type === 'mysql') {
        const { tables } = await gated(engine, type, sql);
        return { tables, parameters: mysqlParameterNames(sql) };
      }
      const names = parameterNames(sql);
      const nothing = Object.fromEntries(names.map((name) => [name, null]));
      const { tables } = await gated(engine, type, positionalParameters(sql, nothing).sql);
      return { tables, parameters: names };
    },

    async run(source, command) {
      const startedAt = performance.now();
      const { limit, timeoutMs, timezone } = command;
      const { sql, values: params } = await readable(engine, source.type, command);
      const settings = (await unseal(secrets, source)) as SettingsOf<DatabaseType>;
      const timeouts = { connectMs: Math.min(CONNECT_MS, timeoutMs), statementMs: timeoutMs };
      const dial = openDatabase(settings, { guard, timeouts });
      const ask = () =>
        // A change of the settings is another revision: it gets connections of its own.
        pool.use(
          `${source.id}#${source.revision}`,
          () => dial().catch(refuseToDial),
          (connection) => connection.query(sql, { params, limit, maxBytes: MOST_TEXT_BYTES, timezone, timeoutMs }),
        );
      const { rowsJson: payload, ...told } = await reported(() => ask().catch(askAgain(ask)));
      return { ...told, payload, ms: Math.round(performance.now() - startedAt), bytes: 0 };
    },
  };
}

/** The server may have closed a connection while this function slept; nothing is lost by reading twice. */
const askAgain = (ask: () => Promise<LiveResult>) => (cause: unknown) => {
  if (cause instanceof EngineError && cause.code === 'CONNECTION_FAILED') return ask();
  throw cause;
};

/** The statement as the database takes it, with the values of its parameters. Throws the gate's errors. */
async function readable(
  engine: Deps['engine'],
  type: DatabaseType,
  { sql, params }: Pick<QueryCommand, 'sql' | 'params'>,
) {
  // MySQL's parameters are known only once its quotes are: the gate has looked at those.
  if (type === 'mysql') return mysqlParameters((await gated(engine, type, sql)).sql, params);
  const { sql: numbered, values } = positionalParameters(sql, params);
  return { sql: (await gated(engine, type, numbered)).sql, values };
}

/** The statement as the gate passes it. The gate runs where it can be killed. */
async function gated(
  engine: Deps['engine'],
  dialect: DatabaseType,
  sql: string,
): Promise<{ sql: string; tables: string[] }> {
  const [verdict] = await engine.check([{ sql, tables: [], dialect }]);
  if (verdict?.ok) return verdict;
  const faults = verdict?.faults ?? [];
  throw new AppError(faults[0]?.code === 'SQL_PARSE' ? 'SQL_PARSE' : 'SQL_NOT_READ_ONLY', {
    ...(faults[0] && { detail: faults[0].message }),
    errors: faults.map((fault) => ({ pointer: '/sql', ...fault })),
  });
}

/** Before the statement was sent nothing can be its fault. */
function refuseToDial(cause: unknown): never {
  throw cause instanceof EngineError ? unreachable(cause) : cause;
}

async function reported<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof EngineError)) throw cause;
    const code = STATEMENT_CODES[cause.code];
    if (!code) throw unreachable(cause);
    throw new AppError(code, {
      cause,
      detail: cause.message,
      errors: cause.faults.map((fault) => ({ pointer: '/sql', ...fault })),
    });
  }
}

const unreachable = (cause: EngineError) =>
  new AppError('DATA_SOURCE_UNREACHABLE', {
    cause,
    detail: cause.message,
    errors: [{ pointer: '/sourceId', code: cause.code, message: cause.message }],
  });
