import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../../support/cases.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { type How, playFused, type Seen } from './fused-plays.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const SEEDS = cases(3, 150);
const UNHARMED = { deaths: [], mayContinue: true };

const written = new Map<number, Promise<Seen>>();
/** What is seen of the definition of a seed when each step is written; both tests compare with it. */
function playWritten(seed: number): Promise<Seen> {
  const seen = written.get(seed) ?? playFused(setup, seed, { ...UNHARMED, materialize: 'always' });
  written.set(seed, seen);
  return seen;
}

function deathsOf(seed: number): How['deaths'] {
  const random = seededRandom(seed);
  return [0, 1].map(() => ({ after: Math.floor(random() * 25), when: random() < 0.5 ? 'before' : 'after' }));
}

/** Many seeds with `npm run test:long`. */
describe('steps that are fused into others', () => {
  it('leave the same records, rows, gates, errors and loads as written ones', async () => {
    let fused = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { fused: none, ...expected } = await playWritten(seed);
      expect(none, `seed ${seed}`).toEqual([]);
      for (const materialize of ['auto', 'never'] as const) {
        const { fused: some, ...seen } = await playFused(setup, seed, {
          ...UNHARMED,
          materialize,
          mayContinue: seed % 3 !== 0,
        });
        expect(seen, `seed ${seed}, ${materialize}`).toEqual(expected);
        fused += some.length;
      }
    }
    expect(fused).toBeGreaterThan(SEEDS);
  }, 600_000);

  it('do so too when their workers die', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { fused: _none, ...expected } = await playWritten(seed);
      const materialize = seed % 2 === 0 ? 'auto' : 'never';
      setup.notices = (['machine', 'service', 'tick'] as const)[seed % 3]!;
      const { fused: _some, ...seen } = await playFused(setup, seed, {
        materialize,
        mayContinue: true,
        deaths: deathsOf(seed),
      });
      setup.notices = 'machine';
      expect(seen, `seed ${seed}, ${materialize}`).toEqual(expected);
    }
  }, 600_000);
});
