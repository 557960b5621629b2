import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../../support/cases.ts';
import { expectOrder, expectOutcome } from './random-invariants.ts';
import { RandomPlay, UNHARMED } from './random-runs.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

/** A sample; `npm run test:long` takes hundreds. */
describe('runs of random definitions', () => {
  it('come to what their definitions say when nothing harms them', async () => {
    const play = await RandomPlay.open(setup, 1, UNHARMED);
    await play.play((now) => expectOrder(setup, now));
    await expectOutcome(setup, play);
    expect(play.runIds()).not.toEqual([]);
  });

  it.each([2, 4, 3].slice(0, cases(2, 3)))(
    'come to the same under random issues, within all limits at any time (seed %i)',
    async (seed) => {
      const play = await RandomPlay.open(setup, seed);
      await play.play((now) => expectOrder(setup, now));
      await expectOutcome(setup, play);
    },
  );
});
