import type { Socket } from 'node:net';
import type { Client, QueryArrayConfig, QueryArrayResult } from 'pg';
import { DataError } from '../../../platform/errors/data-error.ts';
import type { ConnectOptions } from '../connection/connector.ts';
import { type Conversation, conversation, Inbox, type Line, loggedIn } from '../connection/conversation.ts';
import { guardedSocket } from '../connection/guarded-socket.ts';
import { withoutSecrets } from '../connection/reported-secrets.ts';
import type { PostgresConfig, PostgresSecrets } from './config.ts';
import { isPostgresReport, toSourceError } from './errors.ts';

export interface PostgresTarget extends Omit<PostgresConfig, 'ssl' | 'caCertificate'> {
  password: string;
  /** True: TLS with a certificate that is verified; `ca` adds an authority (PEM) to trust. */
  ssl: boolean | { ca: string };
}

export function postgresTarget({ caCertificate, ...config }: PostgresConfig, secrets: PostgresSecrets): PostgresTarget {
  return { ...config, ...secrets, ssl: config.ssl && caCertificate ? { ca: caCertificate } : config.ssl };
}

export interface PostgresSource extends Conversation {
  readonly client: Client;
  /** Runs one statement by the extended protocol (several commands are refused) and returns rows of text values. */
  query(sql: string, params?: readonly unknown[]): Promise<QueryArrayResult<(string | null)[]>>;
}

const AS_TEXT = { getTypeParser: () => (value: string) => value };

/**
 * Logs in to a Postgres server at an address that the guard lets pass when it is dialled. Throws ADDRESS_BLOCKED,
 * CONNECTION_FAILED, AUTH_FAILED, NOT_FOUND (no such database) or TIMEOUT.
 */
export async function connectPostgres(
  config: PostgresTarget,
  { guard, timeouts }: ConnectOptions,
): Promise<PostgresSource> {
  const host = await guard.checkHost(config.host);
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
  containAnswers(client, inbox);
  const lost = new Promise<never>((_, reject) => {
    client.once('error', reject);
    client.once('end', () => reject(new DataError('CONNECTION_FAILED', 'The server closed the connection.')));
  });
  lost.catch(() => {});
  const line: Line = {
    socket,
    lost,
    inbox,
    timeouts,
    report: (error) => toSourceError(withoutSecrets(error, [config.password])),
    isServerReport: isPostgresReport,
    sayGoodbye: () => client.end(),
  };
  return loggedIn(line, async () => {
    await client.connect();
    const source = postgresSource(client, line);
    await stopWithUs(source);
    return source;
  });
}

/**
 * pg's parser throws out of the socket's `data` event over a message that no honest server sends; uncaught, that would end the
 * process. The connection fails instead, as over an answer that is larger than wanted.
 */
function containAnswers(client: Client, inbox: Inbox): void {
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
 * A server does not notice by itself that nobody waits for an answer any more, not even that we were killed, until it has a row to
 * send. From Postgres 14 it can be told to look. Servers that cannot look stop at the statement's timeout.
 */
async function stopWithUs(source: PostgresSource): Promise<void> {
  await source.query(`SET client_connection_check_interval = '1s'`).catch((error: unknown) => {
    if (!source.usable) throw error;
  });
}

/** The types of pg do not know `queryMode`. */
const extendedQuery = (text: string, values: readonly unknown[]): QueryArrayConfig =>
  ({ text, values: [...values], rowMode: 'array', queryMode: 'extended', types: AS_TEXT }) as QueryArrayConfig;

function postgresSource(client: Client, line: Line): PostgresSource {
  const spoken = conversation(line);
  return Object.assign(spoken, {
    client,
    query: (text: string, values: readonly unknown[] = []) =>
      spoken.bounded(() => client.query<(string | null)[]>(extendedQuery(text, values))),
  });
}
