import { DataError } from '../../../platform/errors/data-error.ts';
import type { DatabaseConnection, Dial } from './connector.ts';

export interface PoolLimits {
  /** Connections to one source at a time; further work waits its turn. */
  perSource: number;
  /** Connections to all sources together. */
  total: number;
  /** An idle connection is closed after so long. */
  idleMs: number;
  /** A source that could not be reached is not dialled again for so long. */
  failureMs: number;
  /** The longest wait for a turn. */
  waitMs: number;
}

/**
 * Room for one request at a time and its successor. Timers rest while a function's environment is frozen: what is idle then stays
 * open at the server until the environment goes on or is removed, or the server's own idle timeout closes it.
 */
export const POOL_LIMITS: PoolLimits = { perSource: 2, total: 8, idleMs: 10_000, failureMs: 2_000, waitMs: 8_000 };

export interface ConnectionPool {
  /**
   * Works with a connection of the source that `key` names; a change of its settings must change the key. Whoever comes
   * while all are in use waits. Waiting, dialling and working together take `withinMs`: what is under way then is stopped. Throws
   * what dialling throws, for a moment without dialling, or TIMEOUT.
   */
  use<T>(key: string, dial: Dial, work: (connection: DatabaseConnection) => Promise<T>, withinMs: number): Promise<T>;
  /** Closes what is idle; what is in use is closed when it is given back. */
  close(): Promise<void>;
}

interface Lane {
  idle: { connection: DatabaseConnection; timer: NodeJS.Timeout }[];
  open: number;
  failure?: { error: unknown; until: number };
}

interface Waiter {
  key: string;
  go: () => void;
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
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(new DataError('TIMEOUT', 'The source did not answer in time.'));
      connection.stop().catch(() => undefined);
    }, until - now());
    try {
      return await Promise.race([work(connection), late]);
    } finally {
      clearTimeout(timer);
      giveBack(key, connection);
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
      await turn(key, deadline - now());
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
      freed(key);
      // All who wait for it learn of the failure now: nobody will give a connection back to them.
      while (waiters.some((waiter) => waiter.key === key)) wake(key);
      throw error;
    }
  }

  function giveBack(key: string, connection: DatabaseConnection): void {
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
    freed(key);
  }

  function freed(key: string): void {
    const lane = laneOf(key);
    lane.open -= 1;
    total -= 1;
    if (lane.open === 0 && !lane.failure) lanes.delete(key);
    wake(key);
    if (waiters[0]) waiters.shift()!.go();
  }

  /** The next one who waits for this source looks again. */
  function wake(key: string): void {
    const at = waiters.findIndex((waiter) => waiter.key === key);
    if (at >= 0) waiters.splice(at, 1)[0]!.go();
  }

  /** Room for another source. */
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

  async function turn(key: string, remainingMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { key, go: resolve };
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
