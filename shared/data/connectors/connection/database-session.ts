import type { Socket } from 'node:net';
import { DataError } from '../../../platform/errors/data-error.ts';
import { isLocalError } from './connection-errors.ts';
import type { SourceTimeouts } from './connector.ts';

/** A session with a database server, whatever its protocol. */
export interface DatabaseSession {
  readonly timeouts: SourceTimeouts;
  /** Whether the session is intact, so that the connection may be used again. */
  readonly usable: boolean;
  /**
   * Limits work on the connection: a lost server, a passed deadline or too many bytes end the session with
   * CONNECTION_FAILED, TIMEOUT or RESULT_TOO_LARGE.
   */
  bounded<T>(work: (signal: AbortSignal) => Promise<T>, bounds?: Bounds): Promise<T>;
  /** Lets the server send this many more bytes for the work in progress. */
  allow(bytes: number): void;
  /** Closes the connection in the middle of an answer whose remaining rows are not needed. */
  abandon(): void;
  /** Closes the connection and cancels the server's work for it where possible. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export interface Bounds {
  /** Defaults to `timeouts.statementMs`. */
  timeoutMs?: number;
  /** How much the server may send; unlimited by default. */
  maxBytes?: number;
}

/**
 * Limits what a server sends. It counts bytes on arrival, because drivers hold a whole row in memory before they pass
 * it on.
 */
export class Inbox {
  remainingBytes = Number.POSITIVE_INFINITY;

  /** Throws RESULT_TOO_LARGE if the limit is exceeded. */
  take(bytes: number): void {
    this.remainingBytes -= bytes;
    if (this.remainingBytes < 0)
      throw new DataError('RESULT_TOO_LARGE', 'The answer is larger than a reply can carry.');
  }
}

/** The parts of a session that depend on the protocol. */
export interface ProtocolDriver {
  socket: Socket;
  /** Rejects when the connection to the server is lost. */
  lost: Promise<never>;
  inbox: Inbox;
  timeouts: SourceTimeouts;
  /** Translates an error of the driver, the server or the socket. */
  report(error: unknown): DataError;
  /** Whether the server itself reported the failure, so that the connection can still be used. */
  isServerReport(error: unknown): boolean;
  /** Disconnects as the protocol prescribes. */
  disconnect(): Promise<unknown>;
  /**
   * Cancels the statement through another connection, for servers that do not notice that the client has disconnected.
   */
  kill?(): Promise<void>;
}

/**
 * The server should stop by itself at its statement timeout; if it does not, the connection is closed after this much
 * longer.
 */
const ANSWER_GRACE_MS = 2000;
const GOODBYE_MS = 1000;

const timeoutError = () => new DataError('TIMEOUT', 'The server did not answer in time.');

export function databaseSession(driver: ProtocolDriver): DatabaseSession {
  const { socket, lost, inbox, timeouts } = driver;
  let usable = true;
  lost.catch(() => {
    usable = false;
  });
  function abandon(): void {
    usable = false;
    socket.destroy();
  }
  return {
    timeouts,
    get usable() {
      return usable;
    },
    abandon,

    async stop() {
      abandon();
      await driver.kill?.().catch(() => undefined);
    },

    async bounded(work, { timeoutMs = timeouts.statementMs, maxBytes } = {}) {
      const abort = new AbortController();
      if (maxBytes !== undefined) inbox.remainingBytes = maxBytes;
      const { promise: timeout, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        reject(timeoutError());
        socket.destroy();
      }, timeoutMs + ANSWER_GRACE_MS);
      try {
        return await Promise.race([work(abort.signal), lost, timeout]);
      } catch (error) {
        abort.abort();
        // Nested bounded work has already translated the error.
        const reported = error instanceof DataError ? error.cause : error;
        // A session that was interrupted in the middle of a transfer cannot be continued.
        if (!driver.isServerReport(reported)) abandon();
        throw isLocalError(error) ? error : driver.report(error);
      } finally {
        clearTimeout(timer);
        if (maxBytes !== undefined) inbox.remainingBytes = Number.POSITIVE_INFINITY;
      }
    },

    allow(bytes) {
      inbox.remainingBytes = bytes;
    },

    async close() {
      usable = false;
      const { promise: timeout, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, GOODBYE_MS);
      await Promise.race([driver.disconnect().catch(() => undefined), lost.catch(() => undefined), timeout]);
      clearTimeout(timer);
      socket.destroy();
    },
  };
}

/** Logs in within the connect timeout. */
export async function logInWithin<T>(driver: ProtocolDriver, logIn: () => Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(timeoutError()), driver.timeouts.connectMs);
  try {
    return await Promise.race([logIn(), driver.lost, timeout]);
  } catch (error) {
    driver.socket.destroy();
    const reported = driver.report(error);
    // No SQL of a user has been sent yet, so an error during log-in is a connection error.
    throw reported.code === 'SQL_ERROR'
      ? new DataError('CONNECTION_FAILED', reported.message, { cause: error })
      : reported;
  } finally {
    clearTimeout(timer);
  }
}
