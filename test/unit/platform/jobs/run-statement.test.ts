import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { statementRunner } from '../../../../functions/platform/workers/run-job/dashboard-export/run-statement.ts';
import type { QueryRequest } from '../../../../shared/domains/engine/index.ts';
import type { ObjectCache } from '../../../../shared/platform/objects/object-cache.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';

const tempDir = mkdtempSync(join(tmpdir(), 'analytics-statements-'));
afterAll(() => rmSync(tempDir, { recursive: true, force: true }));

const ENDLESS = 'SELECT count(*) FROM range(10000000000000) t(i) WHERE i % 7 = 3';
const request = (sql: string, timeoutMs = 60_000): QueryRequest => ({
  ...{ op: 'query', sql, params: [], tables: [], limit: 10, maxBytes: 10_000, timeoutMs },
  timezone: 'Asia/Kathmandu',
});

/** Statements without tables read no objects. */
const runner = (signal = new AbortController().signal, killed: unknown[] = []) =>
  statementRunner(
    {
      cache: { fetchAll: async () => [] } as unknown as ObjectCache,
      objects: {} as ObjectStore,
      engineResources: { memoryMb: 16_384, tempDir, scratchMb: 10_240 },
    },
    { signal, die: (error) => killed.push(error) },
  );

describe('the statements of an export as a job', () => {
  it('run one after the other, each for its own time, in their time zone', async () => {
    const run = runner();
    const started = performance.now();
    const replies = await Promise.all([
      run<{ rowsJson: string }>(request(ENDLESS, 400)),
      run<{ rowsJson: string }>(request(`SELECT '2026-01-01T00:00:00Z'::TIMESTAMPTZ::TIMESTAMP::VARCHAR`)),
      run(request('SELECT nothing')),
      run(request(ENDLESS, 300)),
    ]);
    expect(replies.map((reply) => (reply.ok ? reply.answer : reply.code))).toMatchObject([
      'QUERY_TIMEOUT',
      { rowsJson: '[["2026-01-01 05:45:00"]]', rowCount: 1, readBytes: 0 },
      'SQL_ERROR',
      // Its time was over before its turn.
      'QUERY_TIMEOUT',
    ]);
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it('end with the job', async () => {
    const cancel = new AbortController();
    const running = runner(cancel.signal)(request(ENDLESS));
    setTimeout(() => cancel.abort(new Error('cancelled')), 200);
    await expect(running).rejects.toThrow('cancelled');
  });
});
