import type { ConnectionPool } from '../../data/connectors/connection/connection-pool.ts';
import type { SourceTimeouts } from '../../data/connectors/connection/connector.ts';
import { type DatabaseType, isDatabase, openDatabase } from '../../data/connectors/open-database.ts';
import { collectRows, type LiveResult } from '../../data/connectors/rows/live-rows.ts';
import type { SettingsOf } from '../../data/connectors/source-types.ts';
import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { DataError } from '../../platform/errors/data-error.ts';
import type { AddressGuard } from '../../platform/net/address-guard.ts';
import type { EngineFunction } from '../engine/index.ts';
import { type DataSourceRepository, type StoredDataSource, unseal } from '../sources/index.ts';
import { type Computed, MAX_TEXT_BYTES, type QueryCommand } from './command.ts';
import { describedStatement, dialError, passedStatement, type SourceGate, statementError } from './live-statement.ts';

export type LiveSource = Extract<StoredDataSource, { type: DatabaseType }>;

/** Databases that are read where they are, in their own dialect. */
export interface LiveSources {
  /** Throws DATA_SOURCE_NOT_FOUND, or SOURCE_NOT_QUERYABLE for a source that is no database. */
  find(workspaceId: string, sourceId: string): Promise<LiveSource>;
  /** Whether the gate passes the statement; throws its errors. */
  check(source: LiveSource, sql: string): Promise<{ tables: string[]; parameters: string[] }>;
  /**
   * Runs the statement for its `timeoutMs`; checking, waiting for a connection, dialling and running together take `withinMs`. Throws
   * the statement's own errors, DATA_SOURCE_UNREACHABLE and ADDRESS_BLOCKED.
   */
  run(source: LiveSource, command: QueryCommand, withinMs: number): Promise<Computed>;
}

interface Deps {
  sources: DataSourceRepository;
  secrets: SecretBox;
  guard: AddressGuard;
  pool: ConnectionPool;
  engine: Pick<EngineFunction, 'check'>;
}

const CONNECT_MS = 8_000;

export function liveSources({ sources, secrets, guard, pool, engine }: Deps): LiveSources {
  const gate = engineGate(engine);
  return {
    find: (workspaceId, sourceId) => findLiveSource(sources, workspaceId, sourceId),

    check: (source, sql) => describedStatement(gate, source.type, sql),

    async run(source, command, withinMs) {
      const startedAt = performance.now();
      const spentMs = () => Math.round(performance.now() - startedAt);
      const leftMs = () => Math.max(1, withinMs - spentMs());
      const statementMs = () => Math.min(command.timeoutMs, leftMs());
      const { limit, timezone } = command;
      const { sql, values: params } = await passedStatement(gate, source.type, command);
      const timeouts = () => ({ connectMs: Math.min(CONNECT_MS, leftMs()), statementMs: statementMs() });
      const dial = await dialler({ secrets, guard }, source, timeouts);
      const ask = () =>
        // A change of the settings is another revision: it gets connections of its own.
        pool.use(
          `${source.id}#${source.revision}`,
          dial,
          (connection) =>
            collectRows(connection, sql, { params, limit, timezone, timeoutMs: statementMs() }, MAX_TEXT_BYTES),
          leftMs(),
        );
      const { rowsJson: payload, ...told } = await ask()
        .catch(askAgain(ask))
        .catch((cause: unknown) => {
          throw statementError(cause);
        });
      return { ...told, payload, ms: spentMs(), bytes: 0 };
    },
  };
}

/** Throws DATA_SOURCE_NOT_FOUND, or SOURCE_NOT_QUERYABLE for a source that is no database. */
export async function findLiveSource(
  sources: DataSourceRepository,
  workspaceId: string,
  sourceId: string,
): Promise<LiveSource> {
  const source = await sources.get(workspaceId, sourceId);
  if (!source) throw new AppError('DATA_SOURCE_NOT_FOUND');
  if (!isDatabase(source)) throw new AppError('SOURCE_NOT_QUERYABLE');
  return source;
}

/** How the source is dialled, with the time that is left by then. */
export async function dialler(
  { secrets, guard }: Pick<Deps, 'secrets' | 'guard'>,
  source: LiveSource,
  timeouts: () => SourceTimeouts,
) {
  const settings = (await unseal(secrets, source)) as SettingsOf<DatabaseType>;
  return () =>
    openDatabase(settings, { guard, timeouts: timeouts() })().catch((cause: unknown) => {
      throw dialError(cause);
    });
}

/** The server may have closed a connection while this function slept; nothing is lost by reading twice. */
const askAgain = (ask: () => Promise<LiveResult>) => (cause: unknown) => {
  if (cause instanceof DataError && cause.code === 'CONNECTION_FAILED') return ask();
  throw cause;
};

/** The gate runs where it can be killed. */
const engineGate =
  (engine: Deps['engine']): SourceGate =>
  async (dialect, sql) => {
    const [verdict] = await engine.check([{ sql, tables: [], dialect }]);
    if (verdict?.ok) return verdict;
    const issues = verdict?.issues ?? [];
    throw new AppError(issues[0]?.code === 'SQL_PARSE' ? 'SQL_PARSE' : 'SQL_NOT_READ_ONLY', {
      ...(issues[0] && { detail: issues[0].message }),
      errors: issues.map((issue) => ({ pointer: '/sql', ...issue })),
    });
  };
