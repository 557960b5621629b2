import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../../support/cases.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { type How, playFused } from './fused-plays.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const SEEDS = cases(8, 150);
const UNHARMED = { deaths: [], mayContinue: true };

function deathsOf(seed: number): How['deaths'] {
  const random = seededRandom(seed);
  return [0, 1].map(() => ({ after: Math.floor(random() * 25), when: random() < 0.5 ? 'before' : 'after' }));
}

/** Many seeds with `npm run test:long`. */
describe('steps that are fused into others', () => {
  it('leave the same records, rows, gates, errors and loads as written ones', async () => {
    let fused = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { fused: none, ...written } = await playFused(setup, seed, { ...UNHARMED, materialize: 'always' });
      expect(none, `seed ${seed}`).toEqual([]);
      for (const materialize of ['auto', 'never'] as const) {
        const { fused: some, ...seen } = await playFused(setup, seed, {
          ...UNHARMED,
          materialize,
          mayContinue: seed % 3 !== 0,
        });
        expect(seen, `seed ${seed}, ${materialize}`).toEqual(written);
        fused += some.length;
      }
    }
    expect(fused).toBeGreaterThan(SEEDS);
  }, 600_000);

  it('do so too when their workers die', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { fused: _none, ...written } = await playFused(setup, seed, { ...UNHARMED, materialize: 'always' });
      const materialize = seed % 2 === 0 ? 'auto' : 'never';
      setup.notices = (['machine', 'service', 'tick'] as const)[seed % 3]!;
      const { fused: _some, ...seen } = await playFused(setup, seed, {
        materialize,
        mayContinue: true,
        deaths: deathsOf(seed),
      });
      setup.notices = 'machine';
      expect(seen, `seed ${seed}, ${materialize}`).toEqual(written);
    }
  }, 600_000);
});
