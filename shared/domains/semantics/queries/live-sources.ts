import type { ConnectionPool } from '../../../data/connectors/connection/connection-pool.ts';
import type { SourceTimeouts } from '../../../data/connectors/connection/connector.ts';
import { type DatabaseType, isDatabase } from '../../../data/connectors/database-types.ts';
import { openDatabase } from '../../../data/connectors/open-database.ts';
import { collectRows, type LiveResult } from '../../../data/connectors/rows/live-rows.ts';
import type { SettingsOf } from '../../../data/connectors/source-types.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import type { AddressGuard } from '../../../platform/net/address-guard.ts';
import type { EngineFunction } from '../../engine/index.ts';
import { type DataSourceRepository, type StoredDataSource, unseal } from '../../warehouse/sources/index.ts';
import { MAX_TEXT_BYTES, type QueryCommand, type StatementResult } from './command.ts';
import {
  checkedStatement,
  connectionError,
  describeLiveStatement,
  type SourceCheck,
  statementError,
} from './live-statement.ts';

export type LiveSource = Extract<StoredDataSource, { type: DatabaseType }>;

/** Databases that are queried directly, in their own dialect. */
export interface LiveSources {
  /** Throws DATA_SOURCE_NOT_FOUND, or SOURCE_NOT_QUERYABLE for a source that is not a database. */
  find(workspaceId: string, sourceId: string): Promise<LiveSource>;
  /** Checks the statement and returns its tables and parameters; throws its errors. */
  check(source: LiveSource, sql: string): Promise<{ tables: string[]; parameters: string[] }>;
  /**
   * Runs the statement for at most its `timeoutMs`. Checking, waiting for a connection, connecting and running together
   * take at most `withinMs`. Throws the errors of the statement, DATA_SOURCE_UNREACHABLE and ADDRESS_BLOCKED.
   */
  run(source: LiveSource, command: QueryCommand, withinMs: number): Promise<StatementResult>;
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
  const check = engineCheck(engine);
  return {
    find: (workspaceId, sourceId) => findLiveSource(sources, workspaceId, sourceId),

    check: (source, sql) => describeLiveStatement(check, source.type, sql),

    async run(source, command, withinMs) {
      const startedAt = performance.now();
      const spentMs = () => Math.round(performance.now() - startedAt);
      const leftMs = () => Math.max(1, withinMs - spentMs());
      const statementMs = () => Math.min(command.timeoutMs, leftMs());
      const { limit, timezone } = command;
      const { sql, values: params } = await checkedStatement(check, source.type, command);
      const timeouts = () => ({ connectMs: Math.min(CONNECT_MS, leftMs()), statementMs: statementMs() });
      const dial = await connectionOpener({ secrets, guard }, source, timeouts);
      const run = () =>
        // Changed settings are another revision, with its own connections.
        pool.use(
          `${source.id}#${source.revision}`,
          dial,
          (connection) =>
            collectRows(connection, sql, { params, limit, timezone, timeoutMs: statementMs() }, MAX_TEXT_BYTES),
          leftMs(),
        );
      const { rowsJson: payload, ...result } = await run()
        .catch(retryLostConnection(run))
        .catch((cause: unknown) => {
          throw statementError(cause);
        });
      return { ...result, payload, ms: spentMs(), bytes: 0 };
    },
  };
}

/** Throws DATA_SOURCE_NOT_FOUND, or SOURCE_NOT_QUERYABLE for a source that is not a database. */
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

/** Returns a function that connects to the source, within the time that is left when it is called. */
export async function connectionOpener(
  { secrets, guard }: Pick<Deps, 'secrets' | 'guard'>,
  source: LiveSource,
  timeouts: () => SourceTimeouts,
) {
  const settings = (await unseal(secrets, source)) as SettingsOf<DatabaseType>;
  return () =>
    openDatabase(settings, { guard, timeouts: timeouts() })().catch((cause: unknown) => {
      throw connectionError(cause);
    });
}

/** The server may have closed a pooled connection while the function was frozen. Repeating a read is safe. */
const retryLostConnection = (run: () => Promise<LiveResult>) => (cause: unknown) => {
  if (cause instanceof DataError && cause.code === 'CONNECTION_FAILED') return run();
  throw cause;
};

/** The check runs in the engine function, which can be killed. */
const engineCheck =
  (engine: Deps['engine']): SourceCheck =>
  async (dialect, sql) => {
    const [result] = await engine.check([{ sql, tables: [], dialect }]);
    if (result?.ok) return result;
    const issues = result?.issues ?? [];
    throw new AppError(issues[0]?.code === 'SQL_PARSE' ? 'SQL_PARSE' : 'SQL_NOT_READ_ONLY', {
      ...(issues[0] && { detail: issues[0].message }),
      errors: issues.map((issue) => ({ pointer: '/sql', ...issue })),
    });
  };
