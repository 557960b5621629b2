import { expect, it } from 'vitest';
import { seededRandom } from '../../support/seeded-random.ts';
import { changesOf, samplesOf, tickOver, toBeAnnounced, zonesOfTenYears } from './tick-simulation.ts';

it('a million ticks, over every change of clocks of all zones in ten years, miss no instant and announce none twice', () => {
  const random = seededRandom(2);
  const zones = zonesOfTenYears();
  const changes = zones.flatMap((zone) => zone.changes).length;
  let [ticks, instants, outages, rhythms] = [0, 0, 0, 0];
  function* all() {
    yield* changesOf(zones, random);
    yield* samplesOf(zones, Math.max(1_010_000 - changes * 360, 200_000), random);
  }
  for (const window of all()) {
    const ticked = tickOver(window, random);
    expect(ticked.announced, JSON.stringify(window)).toEqual(toBeAnnounced(window, ticked.ticks));
    ticks += ticked.ticks.length;
    instants += ticked.announced.length;
    outages += window.outage ? 1 : 0;
    rhythms += 'everySeconds' in window.schedule ? 1 : 0;
  }
  expect(ticks).toBeGreaterThan(1_000_000);
  expect(instants).toBeGreaterThan(50_000);
  for (const few of [outages, rhythms]) expect(few).toBeGreaterThan(100);
});
