import { isIP, type Socket } from 'node:net';
import type { Connection, FieldPacket } from 'mysql2';
import { DataError } from '../../../platform/errors/data-error.ts';
import { WITHOUT_TLS } from '../connection/connection-errors.ts';
import { type ConnectOptions, LOCK_WAIT_MS } from '../connection/connector.ts';
import {
  type DatabaseSession,
  databaseSession,
  Inbox,
  logInWithin,
  type ProtocolDriver,
} from '../connection/database-session.ts';
import { guardedSocket } from '../connection/guarded-socket.ts';
import { withoutSecrets } from '../connection/reported-secrets.ts';
import type { MysqlConfig, MysqlSecrets } from './config.ts';
import { isMysqlReport, toMysqlError } from './errors.ts';

export interface MysqlResult {
  rows: unknown[][];
  fields: FieldPacket[];
}

export interface MysqlSource extends DatabaseSession {
  readonly connection: Connection;
  readonly isMariaDb: boolean;
  /** Runs one prepared statement. The server rejects several statements in one text. */
  query(sql: string, params?: readonly unknown[]): Promise<MysqlResult>;
  /** Runs an internal statement that cannot be prepared, such as `START TRANSACTION`. */
  command(sql: string): Promise<void>;
}

/**
 * Logs in to a MySQL or MariaDB server. The guard checks the address when it is dialled. The server can request neither
 * local files nor the password in plain text. Throws ADDRESS_BLOCKED, CONNECTION_FAILED, AUTH_FAILED, NOT_FOUND (no
 * such database) or TIMEOUT.
 */
export async function connectMysql(
  config: MysqlConfig,
  secrets: MysqlSecrets,
  options: ConnectOptions,
): Promise<MysqlSource> {
  const { guard, timeouts } = options;
  const host = await guard.checkHost(config.host, config.port);
  if (config.ssl && isIP(host) !== 0) {
    throw new DataError(
      'CONNECTION_FAILED',
      `TLS needs a host name, because certificates are not issued for IP addresses. Use the host name, or ${WITHOUT_TLS}`,
    );
  }
  const { createConnection } = await import('./mysql-driver.ts');
  const socket = guardedSocket(guard);
  const connection = createConnection({
    host,
    port: config.port,
    database: config.database,
    user: config.user,
    password: secrets.password,
    stream: () => socket.connect(config.port, host),
    connectTimeout: timeouts.connectMs,
    charset: 'utf8mb4',
    timezone: 'Z',
    flags: ['-LOCAL_FILES', '-FOUND_ROWS', '-IGNORE_SPACE', '-ODBC'],
    multipleStatements: false,
    rowsAsArray: true,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    disableEval: true,
    maxPreparedStatements: 4,
    connectAttributes: { program_name: 'analytics' },
    ...(config.ssl
      ? {
          ssl: {
            minVersion: 'TLSv1.2',
            rejectUnauthorized: true,
            verifyIdentity: true,
            ...(config.caCertificate ? { ca: config.caCertificate } : {}),
          },
        }
      : {}),
  });
  const inbox = new Inbox();
  guardParser(connection, inbox);
  const lost = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    connection.once('end', () => reject(new DataError('CONNECTION_FAILED', 'The server closed the connection.')));
  });
  lost.catch(() => {});
  const driver: ProtocolDriver = {
    socket,
    lost,
    inbox,
    timeouts,
    report: (error) => toMysqlError(withoutSecrets(error, [secrets.password])),
    isServerReport: isMysqlReport,
    disconnect: () => new Promise((resolve) => connection.end(resolve)),
    async kill() {
      const other = await connectMysql(config, secrets, options);
      await other.command(`KILL ${Number(connection.threadId)}`).finally(() => other.close());
    },
  };
  return logInWithin(driver, async () => {
    await new Promise<void>((resolve, fail) => connection.connect((error) => (error ? fail(error) : resolve())));
    const source = mysqlSource(connection, driver);
    await prepareSession(source);
    return source;
  });
}

/**
 * A malicious message can make the driver throw inside the socket's event, which would end the process. The connection
 * fails instead.
 */
function guardParser(connection: Connection, inbox: Inbox): void {
  const { packetParser, stream } = connection as unknown as {
    packetParser: { execute(bytes: Buffer): void };
    stream: Socket;
  };
  const execute = packetParser.execute.bind(packetParser);
  let failed = false;
  packetParser.execute = (bytes) => {
    if (failed) return;
    try {
      inbox.take(bytes.length);
      execute(bytes);
    } catch (error) {
      failed = true;
      stream.destroy(error as Error);
    }
  };
}

/** Sets the time zone to UTC, limits lock waits to the statement's time, and restores the default rules for quotes. */
async function prepareSession(source: MysqlSource): Promise<void> {
  const { isMariaDb, timeouts } = source;
  const seconds = Math.max(1, Math.ceil(timeouts.statementMs / 1000));
  const limit = isMariaDb
    ? `max_statement_time = ${seconds}`
    : `max_execution_time = ${Math.round(timeouts.statementMs)}`;
  await source.command(
    `SET SESSION time_zone = '+00:00', lock_wait_timeout = ${Math.min(seconds, LOCK_WAIT_MS / 1000)}, ${limit}, sql_mode = 'NO_ENGINE_SUBSTITUTION'`,
  );
}

function mysqlSource(connection: Connection, driver: ProtocolDriver): MysqlSource {
  const session = databaseSession(driver);
  const handshake = (connection as unknown as { _handshakePacket?: { serverVersion?: string } })._handshakePacket;
  return Object.assign(session, {
    connection,
    isMariaDb: /mariadb/i.test(handshake?.serverVersion ?? ''),
    query: (sql: string, params: readonly unknown[] = []) =>
      session.bounded(
        () =>
          new Promise<MysqlResult>((resolve, reject) =>
            connection.execute({ sql, values: [...params] as never, rowsAsArray: true }, (error, rows, fields) =>
              error ? reject(error) : resolve({ rows: rows as unknown as unknown[][], fields }),
            ),
          ),
      ),
    command: (sql: string) =>
      session.bounded(
        () =>
          new Promise<void>((resolve, reject) => connection.query(sql, (error) => (error ? reject(error) : resolve()))),
      ),
  });
}
