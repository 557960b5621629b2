import { expect, it } from 'vitest';
import { seededRandom } from '../../support/seeded-random.ts';
import { lookAtTheClock, tickOver, windowsOf } from './tick-simulation.ts';

it('a million ticks over all zones and ten years miss no instant and announce none twice', () => {
  const random = seededRandom(2);
  let instants = 0;
  for (const window of windowsOf(1_000_000, random)) {
    const announced = tickOver(window, random);
    expect(announced, JSON.stringify(window)).toEqual(lookAtTheClock(window));
    instants += announced.length;
  }
  expect(instants).toBeGreaterThan(10_000);
});
