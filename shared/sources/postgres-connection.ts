import type { Socket } from 'node:net';
import { Client, DatabaseError, type QueryArrayConfig, type QueryArrayResult } from 'pg';
import { EngineError } from '../engine/engine-error.ts';
import { isLocalFault } from './connection-errors.ts';
import type { ConnectOptions, SourceTimeouts } from './connector.ts';
import { guardedSocket } from './guarded-socket.ts';
import type { PostgresConfig, PostgresSecrets } from './postgres-config.ts';
import { toSourceError } from './postgres-errors.ts';
import { withoutSecrets } from './told-secrets.ts';

export interface PostgresTarget extends Omit<PostgresConfig, 'ssl' | 'caCertificate'> {
  password: string;
  /** True: TLS with a certificate that is verified; `ca` adds an authority (PEM) to trust. */
  ssl: boolean | { ca: string };
}

export function postgresTarget({ caCertificate, ...config }: PostgresConfig, secrets: PostgresSecrets): PostgresTarget {
  return { ...config, ...secrets, ssl: config.ssl && caCertificate ? { ca: caCertificate } : config.ssl };
}

export interface PostgresSource {
  readonly client: Client;
  readonly timeouts: SourceTimeouts;
  /** Whether the conversation is still in order. */
  readonly usable: boolean;
  /** Runs one statement by the extended protocol (several commands are refused) and returns rows of text values. */
  query(sql: string, params?: readonly unknown[]): Promise<QueryArrayResult<(string | null)[]>>;
  /** Bounds work on the connection: a lost server or a passed deadline ends it with CONNECTION_FAILED or TIMEOUT. */
  bounded<T>(work: (signal: AbortSignal) => Promise<T>, timeoutMs?: number): Promise<T>;
  close(): Promise<void>;
}

const ANSWER_GRACE_MS = 2000;
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
  const report = (error: unknown) => toSourceError(withoutSecrets(error, [config.password]));
  containParserErrors(client);
  const lost = new Promise<never>((_, reject) => {
    client.once('error', reject);
    client.once('end', () => reject(new EngineError('CONNECTION_FAILED', 'The server closed the connection.')));
  });
  lost.catch(() => {});
  try {
    await client.connect();
  } catch (error) {
    socket.destroy();
    const reported = report(error);
    // Whatever else a server reports instead of a log-in, there is no SQL to blame yet.
    throw reported.code === 'SQL_ERROR'
      ? new EngineError('CONNECTION_FAILED', reported.message, { cause: error })
      : reported;
  }
  return postgresSource(client, socket, lost, timeouts, report);
}

/**
 * pg's parser throws out of the socket's `data` event over a message that no honest server sends; uncaught, that would end the
 * process. The connection fails instead.
 */
function containParserErrors(client: Client): void {
  const { connection } = client as unknown as { connection: { attachListeners(stream: Socket): void } };
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    const emit = stream.emit.bind(stream);
    stream.emit = (event: string | symbol, ...values: unknown[]) => {
      try {
        return emit(event, ...values);
      } catch (error) {
        stream.destroy(error as Error);
        return true;
      }
    };
    attach(stream);
  };
}

/** The types of pg do not know `queryMode`. */
const extendedQuery = (text: string, values: readonly unknown[]): QueryArrayConfig =>
  ({ text, values: [...values], rowMode: 'array', queryMode: 'extended', types: AS_TEXT }) as QueryArrayConfig;

const isServerReport = (error: unknown) => error instanceof DatabaseError;

function postgresSource(
  client: Client,
  socket: Socket,
  lost: Promise<never>,
  timeouts: SourceTimeouts,
  report: (error: unknown) => EngineError,
): PostgresSource {
  let usable = true;
  lost.catch(() => {
    usable = false;
  });
  async function bounded<T>(work: (signal: AbortSignal) => Promise<T>, timeoutMs = timeouts.statementMs): Promise<T> {
    const abort = new AbortController();
    const { promise: late, reject } = Promise.withResolvers<never>();
    // The server should stop by itself at its statement timeout; one that does not is left.
    const timer = setTimeout(() => {
      reject(new EngineError('TIMEOUT', 'The server did not answer in time.'));
      socket.destroy();
    }, timeoutMs + ANSWER_GRACE_MS);
    try {
      return await Promise.race([work(abort.signal), lost, late]);
    } catch (error) {
      abort.abort();
      // In the middle of a transfer there is no way back to an orderly conversation.
      if (!isServerReport(error)) {
        usable = false;
        socket.destroy();
      }
      throw isLocalFault(error) ? error : report(error);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    client,
    timeouts,
    get usable() {
      return usable;
    },
    bounded,
    query: (text, values = []) => bounded(() => client.query<(string | null)[]>(extendedQuery(text, values))),
    async close() {
      usable = false;
      const ended = client.end().catch(() => {});
      const timer = setTimeout(() => socket.destroy(), 1000);
      await Promise.race([ended, lost.catch(() => {})]);
      clearTimeout(timer);
      socket.destroy();
    },
  };
}
