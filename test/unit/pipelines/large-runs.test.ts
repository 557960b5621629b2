import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Dag } from '../../../shared/domains/pipelines/definition/dag.ts';
import { cancelRun } from '../../../shared/domains/pipelines/runs/cancel-run.ts';
import { startRun } from '../../../shared/domains/pipelines/runs/start-run.ts';
import { type NumberedEvent, readEvents } from '../../../shared/domains/pipelines/store/run-events.ts';
import { sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterEach(() => {
  setup.crash = () => undefined;
});
afterAll(() => setup.close());

const ITEMS = Array.from({ length: 100 }, (_, index) => index);

/** One step, and behind it a block of a hundred items with a chain of five steps each. */
const large = (first: string): Dag => ({
  version: 1,
  steps: [
    sql('first', first),
    ...[1, 2, 3, 4, 5].map((n) => sql(`s${n}`, 'SELECT 1 AS one', [n === 1 ? 'first' : `s${n - 1}`])),
  ],
  forEach: [{ id: 'each', items: ITEMS, steps: ['s1', 's2', 's3', 's4', 's5'] }],
});

/** How often a state of each step was reported. */
async function reported(runId: string, status: string): Promise<number[]> {
  const counts = new Map<string, number>();
  let page: NumberedEvent[] = [];
  for (let after = 0; ; after = page.at(-1)!.seq) {
    page = await readEvents(setup.context.table, setup.place(runId), after);
    if (page.length === 0) return [...counts.values()];
    for (const { type, data } of page) {
      if (type !== 'step.status' || data.status !== status) continue;
      const key = `${data.stepId} ${data.item}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
}

describe('a run of hundreds of steps', () => {
  it('is cancelled with few writes, and reports each step once', async () => {
    const run = await setup.run(await setup.pipeline(large('SELECT 1 AS one')));
    await startRun(setup.context, { ...setup.place(run.id), epoch: 1 });
    let writes = 0;
    setup.crash = () => {
      writes += 1;
      return undefined;
    };
    expect(await cancelRun(setup.context, setup.place(run.id), 'requested')).toMatchObject({ status: 'cancelled' });
    expect(writes).toBeLessThan(60);
    expect(await reported(run.id, 'cancelled')).toEqual(Array(501).fill(1));
    setup.jobs.splice(0);
  });

  it('is cancelled whole by several who ask at once', async () => {
    const run = await setup.run(await setup.pipeline(large('SELECT 1 AS one')));
    await startRun(setup.context, { ...setup.place(run.id), epoch: 1 });
    const asked = await Promise.allSettled(
      [1, 2, 3].map(() => cancelRun(setup.context, setup.place(run.id), 'requested')),
    );
    expect(asked.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await setup.stored(run.id)).toMatchObject({ status: 'cancelled' });
    expect(await reported(run.id, 'cancelled')).toEqual(Array(501).fill(1));
    setup.jobs.splice(0);
  });

  it('skips what waits for a step that has failed, each once, and ends', async () => {
    const run = await setup.run(await setup.pipeline(large('SELECT * FROM nothing')));
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'failed', error: { stepId: 'first' } });
    const steps = (await setup.steps(run.id)).slice(1);
    expect(new Set(steps.map(({ status, skipReason }) => `${status} ${skipReason}`))).toEqual(
      new Set(['skipped upstream_failed']),
    );
    expect(await reported(run.id, 'skipped')).toEqual(Array(500).fill(1));
  });
});
