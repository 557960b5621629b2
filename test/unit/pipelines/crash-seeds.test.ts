import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CRASH_POINT_NAMES } from './crash-points.ts';
import { deathAt, MODES, playHarmed, playUnharmed, scenarioOf } from './crash-seeds.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

/** A sample; `npm run soak:loads` takes a hundred seeds for each point and mode. */
describe('a load whose worker dies at a named point', () => {
  it.each(MODES.map((mode, index) => ({ mode, index })))(
    'leaves the rows that it leaves unharmed ($mode)',
    async ({ mode, index }) => {
      const seed = index * 2;
      const scenario = scenarioOf(mode, seed);
      const { outcome, past } = await playUnharmed(setup, scenario);
      for (const point of CRASH_POINT_NAMES) expect(past[point], point).toBeGreaterThan(0);
      for (const point of CRASH_POINT_NAMES.filter((_point, place) => place % MODES.length === index)) {
        const death = deathAt(point, past, seed)!;
        expect(await playHarmed(setup, scenario, death), JSON.stringify({ seed, ...death })).toEqual(outcome);
      }
    },
  );

  it('leaves them too when a worker dies unnoticed after it has reported its end', async () => {
    const scenario = scenarioOf('append', 4040);
    const { outcome } = await playUnharmed(setup, scenario);
    const death = { point: 'launch', passage: 2, when: 'after', notices: 'tick', againAfter: 7 } as const;
    expect(await playHarmed(setup, scenario, death)).toEqual(outcome);
  });
});
