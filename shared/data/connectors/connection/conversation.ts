import type { Socket } from 'node:net';
import { DataError } from '../../../platform/errors/data-error.ts';
import { isLocalFault } from './connection-errors.ts';
import type { SourceTimeouts } from './connector.ts';

/** What talking to a database has in common, whatever its protocol. */
export interface Conversation {
  readonly timeouts: SourceTimeouts;
  /** Whether it is still in order, so that the connection may be used again. */
  readonly usable: boolean;
  /**
   * Bounds work on the connection: a lost server, a passed deadline or an answer of too many bytes ends it with
   * CONNECTION_FAILED, TIMEOUT or RESULT_TOO_LARGE.
   */
  bounded<T>(work: (signal: AbortSignal) => Promise<T>, bounds?: Bounds): Promise<T>;
  /** Lets the server send so many bytes more within the bounds of the work under way. */
  allow(bytes: number): void;
  /** Ends the connection in the middle of an answer whose rest nobody wants. */
  abandon(): void;
  /** Ends the connection, and what the server is doing for it as far as it can be reached. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export interface Bounds {
  /** `timeouts.statementMs` when absent. */
  timeoutMs?: number;
  /** What the server may send; as much as it likes when absent. */
  maxBytes?: number;
}

/** Counts what a server sends: a row is in memory as a whole before anybody could count it otherwise. */
export class Inbox {
  room = Number.POSITIVE_INFINITY;

  /** Throws RESULT_TOO_LARGE when there is no room left. */
  take(bytes: number): void {
    this.room -= bytes;
    if (this.room < 0) throw new DataError('RESULT_TOO_LARGE', 'The answer is larger than a reply can carry.');
  }
}

/** The parts of a conversation that differ from protocol to protocol. */
export interface Line {
  socket: Socket;
  /** Rejects when the server is gone. */
  lost: Promise<never>;
  inbox: Inbox;
  timeouts: SourceTimeouts;
  /** What the driver, the server or the socket report, in our words. */
  report(error: unknown): DataError;
  /** Whether the server itself reported the failure, so that the connection can still be used. */
  isServerReport(error: unknown): boolean;
  /** Takes leave as the protocol has it. */
  sayGoodbye(): Promise<unknown>;
  /** Ends the work of a server that does not look whether anybody is there, by another connection. */
  kill?(): Promise<void>;
}

/** The server should stop by itself at its statement timeout; one that does not is left after so much more. */
const ANSWER_GRACE_MS = 2000;
const GOODBYE_MS = 1000;

const tooLate = () => new DataError('TIMEOUT', 'The server did not answer in time.');

export function conversation(line: Line): Conversation {
  const { socket, lost, inbox, timeouts } = line;
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
      await line.kill?.().catch(() => undefined);
    },

    async bounded(work, { timeoutMs = timeouts.statementMs, maxBytes } = {}) {
      const abort = new AbortController();
      if (maxBytes !== undefined) inbox.room = maxBytes;
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        reject(tooLate());
        socket.destroy();
      }, timeoutMs + ANSWER_GRACE_MS);
      try {
        return await Promise.race([work(abort.signal), lost, late]);
      } catch (error) {
        abort.abort();
        // Work within the bounds of other work has put a report into our words already.
        const reported = error instanceof DataError ? error.cause : error;
        // In the middle of a transfer there is no way back to an orderly conversation.
        if (!line.isServerReport(reported)) abandon();
        throw isLocalFault(error) ? error : line.report(error);
      } finally {
        clearTimeout(timer);
        if (maxBytes !== undefined) inbox.room = Number.POSITIVE_INFINITY;
      }
    },

    allow(bytes) {
      inbox.room = bytes;
    },

    async close() {
      usable = false;
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, GOODBYE_MS);
      await Promise.race([line.sayGoodbye().catch(() => undefined), lost.catch(() => undefined), late]);
      clearTimeout(timer);
      socket.destroy();
    },
  };
}

/** Runs what logs in, for no longer than connecting may take. */
export async function loggedIn<T>(line: Line, logIn: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate()), line.timeouts.connectMs);
  try {
    return await Promise.race([logIn(), line.lost, late]);
  } catch (error) {
    line.socket.destroy();
    const reported = line.report(error);
    // Whatever else a server reports instead of a log-in, there is no SQL to blame yet.
    throw reported.code === 'SQL_ERROR'
      ? new DataError('CONNECTION_FAILED', reported.message, { cause: error })
      : reported;
  } finally {
    clearTimeout(timer);
  }
}
