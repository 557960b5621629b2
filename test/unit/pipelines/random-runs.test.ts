import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectOrder, expectOutcome } from './random-invariants.ts';
import { RandomPlay, UNHARMED } from './random-runs.ts';
import { RunPlane } from './run-plane.ts';

let plane: RunPlane;
beforeAll(async () => {
  plane = await RunPlane.open();
});
afterAll(() => plane.close());

/** A sample; `npm run test:long` takes hundreds. */
describe('runs of random definitions', () => {
  it('come to what their definitions say when nothing harms them', async () => {
    const play = await RandomPlay.open(plane, 1, UNHARMED);
    await play.play((now) => expectOrder(plane, now));
    await expectOutcome(plane, play);
    expect(play.runIds()).not.toEqual([]);
  });

  it.each([2, 3, 4])('come to the same under random faults, within all limits at any time (seed %i)', async (seed) => {
    const play = await RandomPlay.open(plane, seed);
    await play.play((now) => expectOrder(plane, now));
    await expectOutcome(plane, play);
  });
});
