import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { connectionPool, type PoolLimits } from '../../../../shared/data/connectors/connection/connection-pool.ts';
import type { DatabaseConnection, Dial } from '../../../../shared/data/connectors/connection/connector.ts';
import { openPostgres, type PostgresSource } from '../../../../shared/data/connectors/postgres/index.ts';
import { GUARD, usePostgres } from './use-postgres.ts';

const under = usePostgres();
const TIMEOUTS = { connectMs: 3000, statementMs: 300 };

function pool(limits: Partial<PoolLimits> = {}, now: () => number = Date.now) {
  const made = connectionPool(
    { perSource: 3, total: 4, idleMs: 60_000, failureMs: 1000, waitMs: 10_000, ...limits },
    now,
  );
  onTestFinished(() => made.close());
  let dialled = 0;
  const dial =
    (port = under.config.port) =>
    () => {
      dialled += 1;
      const { password, ssl: _ssl, ...config } = under.config;
      return openPostgres({ ...config, port, ssl: false }, { password }, { guard: GUARD, timeouts: TIMEOUTS });
    };
  const use = <T>(key: string, dial: Dial, work: (connection: DatabaseConnection) => Promise<T>, withinMs = 60_000) =>
    made.use(key, dial, work, withinMs);
  return { ...made, use, dial, dialled: () => dialled };
}

/** What the server counts: the connections of pools, without the one that asks. */
async function connections(): Promise<number> {
  const { rows } = await counter.query(
    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'analytics' AND pid <> pg_backend_pid()",
  );
  return Number(rows[0]?.[0]);
}

let counter: PostgresSource;
beforeEach(async () => {
  counter = await under.openSource();
});

describe('a pool of connections', () => {
  it('serves fifty at a time over three connections, and closes them all', async () => {
    const { use, close, dial, dialled } = pool();
    let most = 0;
    const work = async (connection: DatabaseConnection) => {
      most = Math.max(most, await connections());
      return connection.version();
    };
    const versions = await Promise.all(Array.from({ length: 50 }, () => use('a', dial(), work)));
    expect(new Set(versions).size).toBe(1);
    expect(dialled()).toBe(3);
    expect(most).toBeLessThanOrEqual(3);
    expect(await connections()).toBe(3);
    await close();
    await expect.poll(connections).toBe(0);
  });

  it('keeps within its total over several sources by closing what is idle', async () => {
    const { use, dial } = pool();
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await use(key, dial(), (c) => c.version());
    await expect.poll(connections).toBeLessThanOrEqual(4);
  });

  it('does not give on a connection whose conversation broke, and leaks none', async () => {
    const { use, dial, dialled, close } = pool();
    for (let i = 0; i < 5; i += 1) {
      await expect(use('a', dial(), (c) => c.columns('public', 'none'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(dialled()).toBe(1);
    await use('a', dial(), async (c) => {
      await counter.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'analytics' AND pid <> pg_backend_pid()",
      );
      await expect.poll(() => c.usable).toBe(false);
    });
    expect(await use('a', dial(), (c) => c.version())).toMatch(/^18/);
    expect(dialled()).toBe(2);
    await close();
    await expect.poll(connections).toBe(0);
  });

  it('leaves a source alone for a moment that could not be reached', async () => {
    let now = 0;
    const { use, dial, dialled } = pool({}, () => now);
    const ask = () => use('a', dial(1), (c) => c.version());
    const results = await Promise.allSettled(Array.from({ length: 20 }, ask));
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(dialled()).toBeLessThanOrEqual(3);
    const before = dialled();
    await expect(ask()).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(dialled()).toBe(before);
    now += 1001;
    await expect(ask()).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(dialled()).toBe(before + 1);
  });

  it('closes unused connections', async () => {
    const { use, dial } = pool({ idleMs: 50 });
    await use('a', dial(), (c) => c.version());
    await expect.poll(connections).toBe(0);
  });

  it('stops at the server what takes longer than it may', async () => {
    const { use, dial } = pool();
    const sleep = (connection: DatabaseConnection) =>
      connection.query(
        'SELECT pg_sleep(60)',
        { params: [], limit: 1, batchBytes: 1000, timezone: 'UTC', timeoutMs: 50_000 },
        () => undefined,
      );
    await expect(use('a', dial(), sleep, 200)).rejects.toMatchObject({ code: 'TIMEOUT' });
    await expect.poll(connections, { timeout: 60_000 }).toBe(0);
    expect(await use('a', dial(), (c) => c.version(), 5000)).toMatch(/^\d+/);
  });

  it('bounds the time for which a caller waits', async () => {
    const { use, dial } = pool({ perSource: 1, waitMs: 50 });
    await use('a', dial(), async () => {
      await expect(use('a', dial(), (c) => c.version())).rejects.toMatchObject({ code: 'TIMEOUT' });
    });
    expect(await use('a', dial(), (c) => c.version())).toMatch(/^18/);
  });
});
