import { isIP, type Socket } from 'node:net';
import type { Connection, FieldPacket } from 'mysql2';
import { EngineError } from '../engine/engine-error.ts';
import { isLocalFault } from './connection-errors.ts';
import type { ConnectOptions, SourceTimeouts } from './connector.ts';
import { guardedSocket } from './guarded-socket.ts';
import type { MysqlConfig, MysqlSecrets } from './mysql-config.ts';
import { isMysqlReport, toMysqlError } from './mysql-errors.ts';
import { withoutSecrets } from './told-secrets.ts';

export interface MysqlResult {
  rows: unknown[][];
  fields: FieldPacket[];
}

export interface MysqlSource {
  readonly connection: Connection;
  readonly timeouts: SourceTimeouts;
  readonly isMariaDb: boolean;
  readonly usable: boolean;
  /** Runs one prepared statement: several in one text are refused by the server. */
  query(sql: string, params?: readonly unknown[]): Promise<MysqlResult>;
  /** Runs a statement of our own that cannot be prepared, such as `START TRANSACTION`. */
  command(sql: string): Promise<void>;
  /**
   * Bounds work on the connection: a lost server, a passed deadline or an answer of too many bytes ends it with
   * CONNECTION_FAILED, TIMEOUT or RESULT_TOO_LARGE.
   */
  bounded<T>(work: (signal: AbortSignal) => Promise<T>, bounds?: { timeoutMs: number; maxBytes: number }): Promise<T>;
  /** Ends the connection in the middle of an answer whose rest nobody wants. */
  abandon(): void;
  close(): Promise<void>;
}

const ANSWER_GRACE_MS = 2000;

/**
 * Logs in to a MySQL or MariaDB server at an address that the guard lets pass when it is dialled. The server cannot ask for
 * files of ours, nor for the password in the clear. Throws ADDRESS_BLOCKED, CONNECTION_FAILED, AUTH_FAILED, NOT_FOUND (no
 * such database) or TIMEOUT.
 */
export async function connectMysql(
  config: MysqlConfig,
  secrets: MysqlSecrets,
  { guard, timeouts }: ConnectOptions,
): Promise<MysqlSource> {
  const host = await guard.checkHost(config.host);
  if (config.ssl && isIP(host) !== 0) {
    throw new EngineError('CONNECTION_FAILED', 'TLS needs the name of the host: certificates are not for addresses.');
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
  const report = (error: unknown) => toMysqlError(withoutSecrets(error, [secrets.password]));
  const answer = containAnswers(connection);
  const lost = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    connection.once('end', () => reject(new EngineError('CONNECTION_FAILED', 'The server closed the connection.')));
  });
  lost.catch(() => {});
  // The driver's own timeout ends with the server's greeting.
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate()), timeouts.connectMs);
  try {
    const connected = new Promise<void>((resolve, fail) =>
      connection.connect((error) => (error ? fail(error) : resolve())),
    );
    await Promise.race([connected, lost, late]);
    const source = mysqlSource(connection, socket, lost, timeouts, answer, report);
    await prepareSession(source);
    return source;
  } catch (error) {
    socket.destroy();
    const reported = report(error);
    throw reported.code === 'SQL_ERROR'
      ? new EngineError('CONNECTION_FAILED', reported.message, { cause: error })
      : reported;
  } finally {
    clearTimeout(timer);
  }
}

const tooLate = () => new EngineError('TIMEOUT', 'The server did not answer in time.');

/** What the server may still send; a row is in memory as a whole before anybody can count it. */
interface Answer {
  room: number;
}

/**
 * A message that no honest server sends may throw inside the driver, out of the socket's event, and one may be as large as the
 * memory: the connection fails instead.
 */
function containAnswers(connection: Connection): Answer {
  const answer: Answer = { room: Number.POSITIVE_INFINITY };
  const { packetParser, stream } = connection as unknown as {
    packetParser: { execute(bytes: Buffer): void };
    stream: Socket;
  };
  const execute = packetParser.execute.bind(packetParser);
  let failed = false;
  packetParser.execute = (bytes) => {
    if (failed) return;
    answer.room -= bytes.length;
    try {
      if (answer.room < 0) throw new EngineError('RESULT_TOO_LARGE', 'The answer is larger than a reply can carry.');
      execute(bytes);
    } catch (error) {
      failed = true;
      stream.destroy(error as Error);
    }
  };
  return answer;
}

/** Times in UTC, no waiting for locks beyond the statement's time, quotes as the standard has them by default. */
async function prepareSession(source: MysqlSource): Promise<void> {
  const { isMariaDb, timeouts } = source;
  const seconds = Math.max(1, Math.ceil(timeouts.statementMs / 1000));
  const limit = isMariaDb
    ? `max_statement_time = ${seconds}`
    : `max_execution_time = ${Math.round(timeouts.statementMs)}`;
  await source.command(
    `SET SESSION time_zone = '+00:00', lock_wait_timeout = ${seconds}, ${limit}, sql_mode = 'NO_ENGINE_SUBSTITUTION'`,
  );
}

function mysqlSource(
  connection: Connection,
  socket: Socket,
  lost: Promise<never>,
  timeouts: SourceTimeouts,
  answer: Answer,
  report: (error: unknown) => EngineError,
): MysqlSource {
  let usable = true;
  lost.catch(() => {
    usable = false;
  });
  async function bounded<T>(
    work: (signal: AbortSignal) => Promise<T>,
    { timeoutMs, maxBytes } = { timeoutMs: timeouts.statementMs, maxBytes: Number.POSITIVE_INFINITY },
  ): Promise<T> {
    const abort = new AbortController();
    answer.room = maxBytes;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(tooLate());
      socket.destroy();
    }, timeoutMs + ANSWER_GRACE_MS);
    try {
      return await Promise.race([work(abort.signal), lost, late]);
    } catch (error) {
      abort.abort();
      if (!isMysqlReport(error)) {
        usable = false;
        socket.destroy();
      }
      throw isLocalFault(error) ? error : report(error);
    } finally {
      clearTimeout(timer);
    }
  }

  const handshake = (connection as unknown as { _handshakePacket?: { serverVersion?: string } })._handshakePacket;
  return {
    connection,
    timeouts,
    isMariaDb: /mariadb/i.test(handshake?.serverVersion ?? ''),
    get usable() {
      return usable;
    },
    bounded,
    query: (sql, params = []) =>
      bounded(
        () =>
          new Promise<MysqlResult>((resolve, reject) =>
            connection.execute({ sql, values: [...params] as never, rowsAsArray: true }, (error, rows, fields) =>
              error ? reject(error) : resolve({ rows: rows as unknown as unknown[][], fields }),
            ),
          ),
      ),
    command: (sql) =>
      bounded(
        () =>
          new Promise<void>((resolve, reject) => connection.query(sql, (error) => (error ? reject(error) : resolve()))),
      ),
    abandon() {
      usable = false;
      socket.destroy();
    },
    async close() {
      usable = false;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, 1000);
      connection.end(() => resolve());
      await promise;
      clearTimeout(timer);
      socket.destroy();
    },
  };
}
