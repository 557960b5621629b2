import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectOrder, expectOutcome } from './random-invariants.ts';
import { RandomPlay } from './random-runs.ts';
import { RunSetup } from './run-setup.ts';

/** `RANDOM_RUNS` seeds beginning with `RANDOM_RUNS_FROM`; the title of what fails has its seed. */
const count = Number(process.env.RANDOM_RUNS ?? 300);
const from = Number(process.env.RANDOM_RUNS_FROM ?? 1000);
const SEEDS_OF_A_PLANE = 10;

let setup: RunSetup | undefined;
let played = 0;
/** What came about in any of the plays. */
const met = new Set<string>();

beforeEach(async () => {
  setup ??= await RunSetup.open();
});
afterEach(async () => {
  // A fresh one is faster than one with hundreds of runs.
  if (++played % SEEDS_OF_A_PLANE > 0) return;
  await setup?.close();
  setup = undefined;
});
afterAll(() => setup?.close());

async function outcomesOf(of: RunSetup, runId: string): Promise<string[]> {
  const { status, attempt, cancelReason } = await of.stored(runId);
  const steps = await of.steps(runId);
  return [
    [status, cancelReason, attempt > 1 ? 'retried' : null],
    ...steps.map((step) => [step.type, step.skipReason, step.attempt > 1 ? 'again' : null]),
  ].flatMap((outcomes) => outcomes.filter((outcome) => outcome !== null));
}

describe('runs of random definitions under random issues', () => {
  it.each(Array.from({ length: count }, (_seed, index) => from + index))(
    'keep their order and all limits at any time, and come to what they would unharmed (seed %i)',
    async (seed) => {
      const play = await RandomPlay.open(setup!, seed);
      await play.play((now) => expectOrder(setup!, now));
      await expectOutcome(setup!, play);
      for (const runId of play.runIds()) for (const what of await outcomesOf(setup!, runId)) met.add(what);
    },
  );

  it.runIf(count >= 100)('have met everything that can become of a run and its steps', () => {
    const ends = ['succeeded', 'failed', 'cancelled', 'requested', 'superseded', 'retried', 'again'];
    const types = ['extract', 'transform_sql', 'route', 'load'];
    const skips = ['when_false', 'empty_items', 'upstream_skipped', 'upstream_failed'];
    expect([...met].toSorted()).toEqual([...ends, ...types, ...skips].toSorted());
  });
});
