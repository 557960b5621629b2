import { afterAll, beforeAll, describe, it } from 'vitest';
import { raceForSlots, raceIntoQueue } from './racing-starts.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

describe('300 starts that race for the three slots of a pipeline, twenty at a time', () => {
  it('are all done when they queue, and never more at once than may be', () => raceIntoQueue(setup, 300));
  it('are taken while there is a slot and refused otherwise when they skip', () => raceForSlots(setup, 300));
});
