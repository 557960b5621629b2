import { afterAll, beforeAll, describe, it } from 'vitest';
import { raceForSlots, raceIntoQueue } from './racing-starts.ts';
import { RunPlane } from './run-plane.ts';

let plane: RunPlane;
beforeAll(async () => {
  plane = await RunPlane.open();
});
afterAll(() => plane.close());

describe('300 starts that race for the three slots of a pipeline, twenty at a time', () => {
  it('are all done when they queue, and never more at once than may be', () => raceIntoQueue(plane, 300));
  it('are taken while there is a slot and refused otherwise when they skip', () => raceForSlots(plane, 300));
});
