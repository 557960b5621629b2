import type { SecretBox } from '../crypto/secret-box.ts';
import type { SettingsOf, StoredDataSource } from '../data-sources/record.ts';
import type { DataSourceRepository } from '../data-sources/repository.ts';
import { unseal } from '../data-sources/unseal.ts';
import { EngineError, type EngineErrorCode } from '../engine/engine-error.ts';
import type { EngineFunction } from '../engine-function/client.ts';
import { AppError } from '../errors/app-error.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import type { AddressGuard } from '../net/address-guard.ts';
import { connectPostgres, postgresTarget } from '../sources/postgres-connection.ts';
import { queryPostgres } from '../sources/postgres-query.ts';
import { parameterNames, positionalParameters } from '../sql/positional-parameters.ts';
import { type Computed, MOST_TEXT_BYTES, type QueryCommand } from './command.ts';

type LiveSource = Extract<StoredDataSource, { type: 'postgres' }>;

/** Databases that are read where they are, in their own dialect. */
export interface LiveSources {
  /** Throws DATA_SOURCE_NOT_FOUND, or SOURCE_NOT_QUERYABLE for a source that is no database. */
  find(workspaceId: string, sourceId: string): Promise<LiveSource>;
  /** Whether the gate passes the statement; throws its errors. */
  check(sql: string): Promise<{ tables: string[]; parameters: string[] }>;
  /** Throws the statement's own errors, DATA_SOURCE_UNREACHABLE and ADDRESS_BLOCKED. */
  run(source: LiveSource, command: QueryCommand): Promise<Computed>;
}

interface Deps {
  sources: DataSourceRepository;
  secrets: SecretBox;
  guard: AddressGuard;
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

export function liveSources({ sources, secrets, guard, engine }: Deps): LiveSources {
  return {
    async find(workspaceId, sourceId) {
      const source = await sources.get(workspaceId, sourceId);
      if (!source) throw new AppError('DATA_SOURCE_NOT_FOUND');
      if (source.type !== 'postgres') throw new AppError('SOURCE_NOT_QUERYABLE');
      return source;
    },

    async check(sql) {
      const names = parameterNames(sql);
      const { tables } = await gated(
        engine,
        positionalParameters(sql, Object.fromEntries(names.map((n) => [n, null]))).sql,
      );
      return { tables, parameters: names };
    },

    async run(source, command) {
      const startedAt = performance.now();
      const { limit, timeoutMs, timezone } = command;
      const bound = positionalParameters(command.sql, command.params);
      const { sql } = await gated(engine, bound.sql);
      const settings = (await unseal(secrets, source)) as SettingsOf<'postgres'>;
      const target = postgresTarget(settings.config, settings.secrets);
      const timeouts = { connectMs: Math.min(CONNECT_MS, timeoutMs), statementMs: timeoutMs };
      const result = await reported(async () => {
        const connection = await connected(() => connectPostgres(target, { guard, timeouts }));
        try {
          return await queryPostgres(connection, sql, {
            params: bound.values,
            limit,
            maxBytes: MOST_TEXT_BYTES,
            timezone,
          });
        } finally {
          await connection.close();
        }
      });
      const { rowsJson: payload, ...told } = result;
      return { ...told, payload, ms: Math.round(performance.now() - startedAt), bytes: 0 };
    },
  };
}

/** The statement as the gate passes it. The gate runs where it can be killed. */
async function gated(engine: Deps['engine'], sql: string): Promise<{ sql: string; tables: string[] }> {
  const [verdict] = await engine.check([{ sql, tables: [], dialect: 'postgres' }]);
  if (verdict?.ok) return verdict;
  const faults = verdict?.faults ?? [];
  throw new AppError(faults[0]?.code === 'SQL_PARSE' ? 'SQL_PARSE' : 'SQL_NOT_READ_ONLY', {
    ...(faults[0] && { detail: faults[0].message }),
    errors: faults.map((fault) => ({ pointer: '/sql', ...fault })),
  });
}

/** Before the statement was sent nothing can be its fault. */
async function connected<T>(connect: () => Promise<T>): Promise<T> {
  try {
    return await connect();
  } catch (cause) {
    if (cause instanceof EngineError) throw unreachable(cause);
    throw cause;
  }
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
