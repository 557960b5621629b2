import { DataError } from '../../../platform/errors/data-error.ts';
import type { DatabaseConnection, Dial } from './connector.ts';

export interface PoolLimits {
  /** Connections to one source at a time; further callers wait. */
  perSource: number;
  /** Connections to all sources together. */
  total: number;
  /** How long a connection may stay idle before it is closed. */
  idleMs: number;
  /** How long to wait before dialling an unreachable source again. */
  failureMs: number;
  /** How long a caller may wait for a connection. */
  waitMs: number;
}

/**
 * Enough for one request and its successor. Timers stop while a function's environment is frozen, so an idle connection
 * stays open at the server until the environment resumes, is removed, or the server's own idle timeout closes it.
 */
export const POOL_LIMITS: PoolLimits = { perSource: 2, total: 8, idleMs: 10_000, failureMs: 2_000, waitMs: 8_000 };

export interface ConnectionPool {
  /**
   * Runs `work` with a connection to the source that `key` identifies; changed settings need another key. Callers wait
   * while all connections are in use. `withinMs` limits waiting, dialling and working together; work still in progress
   * then is stopped. Throws what dialling throws, for `failureMs` without dialling again, or TIMEOUT.
   */
  use<T>(key: string, dial: Dial, work: (connection: DatabaseConnection) => Promise<T>, withinMs: number): Promise<T>;
  /** Closes idle connections now and the others once they are released. */
  close(): Promise<void>;
}

interface Lane {
  idle: { connection: DatabaseConnection; timer: NodeJS.Timeout }[];
  open: number;
  failure?: { error: unknown; until: number };
}

interface Waiter {
  key: string;
  retry: () => void;
}

export function connectionPool(limits: PoolLimits, now: () => number = Date.now): ConnectionPool {
  const lanes = new Map<string, Lane>();
  const waiters: Waiter[] = [];
  let total = 0;
  let closed = false;

  const laneOf = (key: string): Lane => {
    const known = lanes.get(key) ?? { idle: [], open: 0 };
    lanes.set(key, known);
    return known;
  };

  async function use<T>(
    key: string,
    dial: Dial,
    work: (connection: DatabaseConnection) => Promise<T>,
    withinMs: number,
  ): Promise<T> {
    const until = now() + withinMs;
    const connection = await take(key, dial, Math.min(until, now() + limits.waitMs));
    const { promise: timeout, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(new DataError('TIMEOUT', 'The source did not answer in time.'));
      connection.stop().catch(() => undefined);
    }, until - now());
    try {
      return await Promise.race([work(connection), timeout]);
    } finally {
      clearTimeout(timer);
      release(key, connection);
    }
  }

  async function take(key: string, dial: Dial, deadline: number): Promise<DatabaseConnection> {
    for (;;) {
      const lane = laneOf(key);
      if (lane.failure && lane.failure.until > now()) throw lane.failure.error;
      const idle = lane.idle.pop();
      if (idle) {
        clearTimeout(idle.timer);
        if (idle.connection.usable) return idle.connection;
        discard(key, idle.connection);
        continue;
      }
      if (lane.open < limits.perSource && (total < limits.total || closeOneIdle())) return open(key, lane, dial);
      await waitForTurn(key, deadline - now());
    }
  }

  async function open(key: string, lane: Lane, dial: Dial): Promise<DatabaseConnection> {
    lane.open += 1;
    total += 1;
    try {
      const connection = await dial();
      delete lane.failure;
      return connection;
    } catch (error) {
      lane.failure = { error, until: now() + limits.failureMs };
      releaseSlot(key);
      // No connection will be released to the waiters of this source, so let them all see the failure now.
      while (waiters.some((waiter) => waiter.key === key)) wake(key);
      throw error;
    }
  }

  function release(key: string, connection: DatabaseConnection): void {
    if (closed || !connection.usable) {
      discard(key, connection);
      return;
    }
    const timer = setTimeout(() => {
      const lane = laneOf(key);
      lane.idle = lane.idle.filter((idle) => idle.connection !== connection);
      discard(key, connection);
    }, limits.idleMs);
    timer.unref();
    laneOf(key).idle.push({ connection, timer });
    wake(key);
  }

  function discard(key: string, connection: DatabaseConnection): void {
    connection.close().catch(() => undefined);
    releaseSlot(key);
  }

  function releaseSlot(key: string): void {
    const lane = laneOf(key);
    lane.open -= 1;
    total -= 1;
    if (lane.open === 0 && !lane.failure) lanes.delete(key);
    wake(key);
    if (waiters[0]) waiters.shift()!.retry();
  }

  /** Lets the next waiter of this source try again. */
  function wake(key: string): void {
    const at = waiters.findIndex((waiter) => waiter.key === key);
    if (at >= 0) waiters.splice(at, 1)[0]!.retry();
  }

  /** Makes room for another source. */
  function closeOneIdle(): boolean {
    for (const [key, lane] of lanes) {
      const idle = lane.idle.shift();
      if (!idle) continue;
      clearTimeout(idle.timer);
      discard(key, idle.connection);
      return true;
    }
    return false;
  }

  async function waitForTurn(key: string, remainingMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { key, retry: resolve };
    waiters.push(waiter);
    const timer = setTimeout(
      () => {
        waiters.splice(waiters.indexOf(waiter), 1);
        reject(new DataError('TIMEOUT', 'All connections to the source are in use.'));
      },
      Math.max(0, remainingMs),
    );
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    use,
    async close() {
      closed = true;
      while (closeOneIdle());
    },
  };
}
