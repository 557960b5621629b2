import type { SecretBox } from '../../shared/crypto/secret-box.ts';
import type { PostgresConfig, PostgresSecrets, StoredDataSource } from '../../shared/data-sources/record.ts';
import { EngineError } from '../../shared/engine/engine-error.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import { AddressBlocked, type AddressGuard } from '../../shared/net/address-guard.ts';
import { type ConnectionTest, testConnection } from '../../shared/sources/postgres-catalog.ts';
import { connectPostgres, type PostgresSource } from '../../shared/sources/postgres-connection.ts';

/** Long enough for a database that sleeps, short enough for someone who waits for the reply. */
const TIMEOUTS = { connectMs: 8_000, statementMs: 10_000 };

type StoredPostgres = Extract<StoredDataSource, { type: 'postgres' }>;

/** Connections to sources, each opened for one request and closed with it. */
export interface Connections {
  /** Throws `ADDRESS_BLOCKED` when the host may not be reached from here. */
  checkHost(host: string): Promise<void>;
  test(config: PostgresConfig, secrets: PostgresSecrets): Promise<ConnectionTest>;
  testStored(source: StoredPostgres): Promise<ConnectionTest>;
  /** Throws `DATA_SOURCE_UNREACHABLE` with the reason. */
  use<T>(source: StoredPostgres, work: (connection: PostgresSource) => Promise<T>): Promise<T>;
}

export function connections(guard: AddressGuard, secrets: SecretBox): Connections {
  const options = { guard, timeouts: TIMEOUTS };
  const unseal = async (source: StoredPostgres): Promise<PostgresSecrets> =>
    JSON.parse(await secrets.open(source.workspaceId, source.sealedSecrets ?? '')) as PostgresSecrets;

  return {
    async checkHost(host) {
      try {
        await guard.checkHost(host);
      } catch (cause) {
        if (!(cause instanceof AddressBlocked)) throw cause;
        throw new AppError('ADDRESS_BLOCKED', {
          cause,
          errors: [{ pointer: '/config/host', code: cause.reason, message: cause.message }],
        });
      }
    },

    test: (config, given) => testConnection({ ...config, ...given }, options),

    testStored: async (source) => testConnection({ ...source.config, ...(await unseal(source)) }, options),

    async use(source, work) {
      const given = await unseal(source);
      let connection: PostgresSource | undefined;
      try {
        connection = await connectPostgres({ ...source.config, ...given }, options);
        return await work(connection);
      } catch (cause) {
        if (!(cause instanceof EngineError)) throw cause;
        throw new AppError('DATA_SOURCE_UNREACHABLE', {
          cause,
          detail: cause.message,
          errors: [{ pointer: '', code: cause.code, message: cause.message }],
        });
      } finally {
        await connection?.close();
      }
    },
  };
}
