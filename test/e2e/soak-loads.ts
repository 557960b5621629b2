import { isDeepStrictEqual } from 'node:util';
import { CRASH_POINT_NAMES } from '../unit/pipelines/crash-points.ts';
import { deathAt, MODES, type Mode, playHarmed, playUnharmed, scenarioOf } from '../unit/pipelines/crash-seeds.ts';
import { RunSetup } from '../unit/pipelines/run-setup.ts';

/**
 * `npm run soak:loads [seeds] [first seed]`: lets the worker of a load die at each named point, for each mode and so
 * many seeds (100), and compares what is there in the end with the same runs unharmed.
 */
const seeds = Number(process.argv[2] ?? 100);
const firstSeed = Number(process.argv[3] ?? 0);
const startedAt = performance.now();
const points = CRASH_POINT_NAMES.length;
let differing = 0;

/** One seed at every point. */
async function play(setup: RunSetup, mode: Mode, seed: number): Promise<void> {
  const scenario = scenarioOf(mode, seed);
  const { outcome, past } = await playUnharmed(setup, scenario);
  for (const point of CRASH_POINT_NAMES) {
    const death = deathAt(point, past, seed);
    if (!death) throw new Error(`${mode} ${seed} does not come past ${point}`);
    const harmed = await playHarmed(setup, scenario, death);
    if (isDeepStrictEqual(harmed, outcome)) continue;
    differing += 1;
    console.error(JSON.stringify({ mode, seed, death, harmed, outcome }));
  }
}

let setup = await RunSetup.open();
for (let done = 1; done <= seeds; done += 1) {
  for (const mode of MODES) await play(setup, mode, firstSeed + done - 1);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  console.log(`${done}/${seeds} seeds: ${done * points * MODES.length} deaths, ${differing} differ, ${minutes} min`);
  if (done % 10 > 0) continue;
  // A fresh one is faster than one with thousands of runs.
  await setup.close();
  setup = await RunSetup.open();
}
await setup.close();
console.log(`${points} points × ${MODES.length} modes × ${seeds} seeds: ${differing} differ.`);
process.exitCode = differing === 0 ? 0 : 1;
