import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Dag } from '../../../shared/domains/pipelines/definition/dag.ts';
import { findDagIssues } from '../../../shared/domains/pipelines/definition/dag-issues.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
  // A function asks every ten seconds, and not for each step.
  setup.worker.checkAllowance = async () => {};
});
afterAll(() => setup.close());

const ITEMS = Array.from({ length: 100 }, (_, index) => index);

/** Ten blocks of a hundred items, with as many steps as a definition holds: 10,000 instances. */
const largest: Dag = {
  version: 1,
  steps: Array.from({ length: 100 }, (_, index) => ({
    id: `s${index}`,
    type: 'transform_sql',
    config: { sql: 'SELECT 1 AS one', inputs: {} },
    // A chain in each block.
    dependsOn: index % 10 === 0 ? [] : [`s${index - 1}`],
  })),
  forEach: Array.from({ length: 10 }, (_, block) => ({
    id: `block${block}`,
    items: ITEMS,
    steps: Array.from({ length: 10 }, (_step, index) => `s${block * 10 + index}`),
  })),
};

it('the largest run is admitted, does each of its 10,000 steps once and ends', async () => {
  expect(findDagIssues(largest)).toEqual([]);
  const pipeline = await setup.pipeline(largest);
  const startedAt = performance.now();
  const run = await setup.run(pipeline);
  await Promise.all(Array.from({ length: 4 }, () => setup.drain()));
  const seconds = (performance.now() - startedAt) / 1000;
  expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
  const steps = await setup.steps(run.id);
  expect(steps).toHaveLength(10_000);
  expect(new Set(steps.map(({ status, attempt }) => `${status} ${attempt}`))).toEqual(new Set(['succeeded 1']));
  expect(setup.mostOpen.run).toBeLessThanOrEqual(100);
  console.log(`10,000 steps in ${seconds.toFixed(0)} s, ${((seconds * 1000) / 10_000).toFixed(1)} ms each`);
}, 900_000);
