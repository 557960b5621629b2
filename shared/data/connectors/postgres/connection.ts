import type { Socket } from 'node:net';
import type { Client, QueryArrayConfig, QueryArrayResult } from 'pg';
import { DataError } from '../../../platform/errors/data-error.ts';
import type { ConnectOptions } from '../connection/connector.ts';
import {
  type DatabaseSession,
  databaseSession,
  Inbox,
  logInWithin,
  type ProtocolDriver,
} from '../connection/database-session.ts';
import { guardedSocket } from '../connection/guarded-socket.ts';
import { withoutSecrets } from '../connection/reported-secrets.ts';
import type { PostgresConfig, PostgresSecrets } from './config.ts';
import { isPostgresReport, toSourceError } from './errors.ts';

export interface PostgresTarget extends Omit<PostgresConfig, 'ssl' | 'caCertificate'> {
  password: string;
  /** `true` requires TLS with a verified certificate; `ca` is an additional authority (PEM) to trust. */
  ssl: boolean | { ca: string };
}

export function postgresTarget({ caCertificate, ...config }: PostgresConfig, secrets: PostgresSecrets): PostgresTarget {
  return { ...config, ...secrets, ssl: config.ssl && caCertificate ? { ca: caCertificate } : config.ssl };
}

export interface PostgresSource extends DatabaseSession {
  readonly client: Client;
  /** Runs one statement by the extended protocol, which rejects several commands, and returns values as text. */
  query(sql: string, params?: readonly unknown[]): Promise<QueryArrayResult<(string | null)[]>>;
}

const AS_TEXT = { getTypeParser: () => (value: string) => value };

/**
 * Logs in to a Postgres server. The guard checks the address when it is dialled. Throws ADDRESS_BLOCKED,
 * CONNECTION_FAILED, AUTH_FAILED, NOT_FOUND (no such database) or TIMEOUT.
 */
export async function connectPostgres(
  config: PostgresTarget,
  { guard, timeouts }: ConnectOptions,
): Promise<PostgresSource> {
  const host = await guard.checkHost(config.host, config.port);
  const { Client } = await import('./postgres-driver.ts');
  const socket = guardedSocket(guard);
  const client = new Client({
    ...config,
    host,
    ssl:
      config.ssl === false
        ? false
        : { rejectUnauthorized: true, ...(config.ssl === true ? {} : { ca: config.ssl.ca }) },
    stream: () => socket,
    connectionTimeoutMillis: timeouts.connectMs,
    application_name: 'analytics',
    keepAlive: true,
  });
  const inbox = new Inbox();
  guardParser(client, inbox);
  const lost = new Promise<never>((_, reject) => {
    client.once('error', reject);
    client.once('end', () => reject(new DataError('CONNECTION_FAILED', 'The server closed the connection.')));
  });
  lost.catch(() => {});
  const driver: ProtocolDriver = {
    socket,
    lost,
    inbox,
    timeouts,
    report: (error) => toSourceError(withoutSecrets(error, [config.password])),
    isServerReport: isPostgresReport,
    disconnect: () => client.end(),
  };
  return logInWithin(driver, async () => {
    await client.connect();
    const source = postgresSource(client, driver);
    await enableDisconnectCheck(source);
    return source;
  });
}

/**
 * A malicious message makes pg's parser throw inside the socket's `data` event, which would end the process. The
 * connection fails instead, as it does if an answer is too large.
 */
function guardParser(client: Client, inbox: Inbox): void {
  const { connection } = client as unknown as { connection: { attachListeners(stream: Socket): void } };
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    const emit = stream.emit.bind(stream);
    stream.emit = (event: string | symbol, ...values: unknown[]) => {
      try {
        if (event === 'data') inbox.take((values[0] as Buffer).length);
        return emit(event, ...values);
      } catch (error) {
        stream.destroy(error as Error);
        return true;
      }
    };
    attach(stream);
  };
}

/**
 * By default a server notices that its client is gone, even killed, only when it sends a row. From Postgres 14 it can
 * be configured to check; older servers stop at the statement's timeout.
 */
async function enableDisconnectCheck(source: PostgresSource): Promise<void> {
  await source.query(`SET client_connection_check_interval = '1s'`).catch((error: unknown) => {
    if (!source.usable) throw error;
  });
}

/** The type definitions of pg lack `queryMode`. */
const extendedQuery = (text: string, values: readonly unknown[]): QueryArrayConfig =>
  ({ text, values: [...values], rowMode: 'array', queryMode: 'extended', types: AS_TEXT }) as QueryArrayConfig;

function postgresSource(client: Client, driver: ProtocolDriver): PostgresSource {
  const session = databaseSession(driver);
  return Object.assign(session, {
    client,
    query: (text: string, values: readonly unknown[] = []) =>
      session.bounded(() => client.query<(string | null)[]>(extendedQuery(text, values))),
  });
}
