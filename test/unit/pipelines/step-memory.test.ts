import { afterAll, beforeAll, expect, it } from 'vitest';
import { reportedEvents } from './reported-events.ts';
import { dagOf, ranOn, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

it('a step whose SQL explodes fails with OUT_OF_MEMORY, and its worker does the next one', async () => {
  const retry = { maxAttempts: 2, nonRetryableErrors: ['OUT_OF_*'] };
  const { steps } = await ranOn(
    setup,
    dagOf(sql('a', 'SELECT list(range) AS x FROM range(1000000000)', [], { retry })),
  );
  expect(steps.get('a')).toMatchObject({ status: 'failed', attempt: 1, error: { code: 'OUT_OF_MEMORY' } });
  expect(steps.get('a')!.executionSeconds).toBeGreaterThan(0);
  expect((await ranOn(setup, dagOf(sql('a', 'SELECT 1 AS x')))).run.status).toBe('succeeded');
  expect(await reportedEvents(setup, 'compute.vm_unreachable')).toEqual([]);
});
