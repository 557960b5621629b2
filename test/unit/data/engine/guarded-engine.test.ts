import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { guardedOptions, withGuardedEngine } from '../../../../shared/data/duckdb/guarded-engine.ts';
import { warmPool } from '../../../../shared/data/duckdb/warm-pool.ts';

const tempDir = mkdtempSync(join(tmpdir(), 'analytics-guarded-'));
afterAll(() => rmSync(tempDir, { recursive: true, force: true }));

const ENDLESS = 'SELECT count(*) FROM range(10000000000000) t(i) WHERE i % 7 = 3';
/** The limit counts the whole process, which may hold much of the test files before this one. */
const MEMORY_MB = 16_384;
const guarded = (signal: AbortSignal) =>
  withGuardedEngine({ memoryMb: MEMORY_MB, tempDir, scratchMb: 10_240 }, { timeoutMs: 60_000, signal }, (engine) =>
    engine.run(ENDLESS),
  );

describe('work with an engine', () => {
  it('never begins when its end was announced before the engine was open', async () => {
    const cancel = new AbortController();
    const work = guarded(cancel.signal);
    cancel.abort(new Error('cancelled'));
    await expect(work).rejects.toThrow('cancelled');
  });

  it('stops when its end is announced while a statement runs', async () => {
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(new Error('cancelled')), 300);
    await expect(guarded(cancel.signal)).rejects.toThrow('cancelled');
  });

  it('does not interrupt later work on its engine when it is aborted after its end', async () => {
    const resources = { memoryMb: MEMORY_MB, tempDir, scratchMb: 10_240 };
    const engines = warmPool(guardedOptions(resources));
    const shared = { ...resources, engines, use: { owner: 'run', locks: false } };
    const [early, late] = [new AbortController(), new AbortController()];
    const first = await withGuardedEngine(
      shared,
      { timeoutMs: 60_000, signal: early.signal },
      async (engine) => engine,
    );
    await withGuardedEngine(shared, { timeoutMs: 60_000, signal: late.signal }, async (engine) => {
      expect(engine).toBe(first);
      early.abort(new Error('cancelled'));
      // Together they take longer than the interval of interrupts.
      for (let round = 0; round < 3; round++) {
        await engine.run('SELECT count(*) FROM range(100000000) t(i) WHERE i % 7 = 3');
      }
    });
    await engines.close();
  });

  it('does not reuse an engine whose work it has stopped', async () => {
    const resources = { memoryMb: MEMORY_MB, tempDir, scratchMb: 10_240 };
    const engines = warmPool(guardedOptions(resources));
    const use = { owner: 'run', locks: false };
    const limits = { timeoutMs: 100, signal: new AbortController().signal };
    let stopped: unknown;
    const work = withGuardedEngine({ ...resources, engines, use }, limits, (engine) => {
      stopped = engine;
      return engine.run(ENDLESS);
    });
    await expect(work).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    const engine = await engines.takeFor(use);
    expect(engine).not.toBe(stopped);
    await engines.giveBack(engine, use);
    await engines.close();
  });

  it.each([
    [10_240, '3.8 GiB'],
    [204_800, '76.2 GiB'],
  ])('may spill to two fifths of a disk of %i MB: %s', async (scratchMb, spill) => {
    const limits = { timeoutMs: 60_000, signal: new AbortController().signal };
    const setting = await withGuardedEngine({ memoryMb: MEMORY_MB, tempDir, scratchMb }, limits, (engine) =>
      engine.run("SELECT current_setting('max_temp_directory_size') AS size"),
    );
    expect(JSON.stringify(setting)).toContain(`"${spill}"`);
  });
});
