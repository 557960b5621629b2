import { fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { runGuarded } from '../../../../shared/data/duckdb/watchdog.ts';
import { openTestEngine, rowsOf } from './open-test-engine.ts';

const ROOMY = { timeoutMs: 10_000, maxRssMb: 16_000, graceMs: 500 };

describe('the watchdog', () => {
  it('passes a result and a failure through', async () => {
    const task = { interrupt: () => {} };
    expect(await runGuarded({ ...task, run: async () => 7 }, ROOMY)).toBe(7);
    await expect(runGuarded({ ...task, run: () => Promise.reject(new RangeError('own')) }, ROOMY)).rejects.toThrow(
      'own',
    );
  });

  it('interrupts a query at its deadline', async () => {
    const { engine } = await openTestEngine();
    const die = vi.fn();
    const run = () => rowsOf(engine, 'SELECT count(*) FROM range(1000000) a, range(1000000) b');
    const guarded = runGuarded({ run, interrupt: () => engine.interrupt() }, { ...ROOMY, timeoutMs: 100, die });

    await expect(guarded).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    expect(die).not.toHaveBeenCalled();
    expect(await rowsOf(engine, 'SELECT 1')).toEqual([[1]]);
  });

  it('interrupts work that takes too much memory', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const interrupt = () => reject(new Error('interrupted'));
    const guarded = runGuarded({ run: () => promise, interrupt }, { ...ROOMY, maxRssMb: 1 });
    await expect(guarded).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
  });

  it('frees other memory once, before the work takes too much', async () => {
    const relieve = vi.fn();
    const rssMb = process.memoryUsage.rss() / 1024 / 1024;
    const { promise, resolve } = Promise.withResolvers<string>();
    setTimeout(() => resolve('done'), 150);
    const limits = { ...ROOMY, maxRssMb: Math.ceil(rssMb * 1.5), relieve };
    expect(await runGuarded({ run: () => promise, interrupt: () => {} }, limits)).toBe('done');
    expect(relieve).toHaveBeenCalledOnce();
    const roomy = vi.fn();
    await runGuarded({ run: async () => 1, interrupt: () => {} }, { ...ROOMY, relieve: roomy });
    expect(roomy).not.toHaveBeenCalled();
  });

  it('calls die at once when the work takes still more memory after the interrupt', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const taken: Buffer[] = [];
    const interrupt = vi.fn(() => {
      taken.push(Buffer.alloc(64 * 1024 * 1024, 1));
    });
    const die = vi.fn(() => resolve('too late'));
    const maxRssMb = Math.floor(process.memoryUsage.rss() / 1024 / 1024 / 2);
    const guarded = runGuarded({ run: () => promise, interrupt }, { ...ROOMY, maxRssMb, die });
    await expect(guarded).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    // Memory of the process that is freed meanwhile asks for another interrupt; the grace would allow a hundred.
    expect(interrupt.mock.calls.length).toBeLessThan(10);
    expect(die).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'OUT_OF_MEMORY' }));
  });

  it('calls die when the work does not stop within the grace', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const die = vi.fn(() => resolve('too late'));
    const guarded = runGuarded(
      { run: () => promise, interrupt: () => {} },
      { timeoutMs: 20, maxRssMb: 16_000, graceMs: 60, die },
    );
    await expect(guarded).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    expect(die).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'QUERY_TIMEOUT' }));
  });

  it.each(['SELECT len(list_transform(range(500000000), lambda x: x + 1))', "SELECT len(repeat('x', 3000000000))"])(
    'kills a process that is stuck in %s',
    async (sql) => {
      const child = fork(new URL('./guarded-query.ts', import.meta.url), [sql], { execArgv: [], stdio: 'ignore' });
      const [code, signal] = await once(child, 'exit');
      expect([code, signal]).toEqual([null, 'SIGKILL']);
    },
  );
});
