import { describe, expect, it } from 'vitest';
import { nextInstant } from '../../../shared/platform/schedule/schedule.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { samplesOf, tickOver, toBeAnnounced, zonesOfTenYears } from './tick-simulation.ts';

describe('a schedule where clocks are changed', () => {
  it.each([
    ['30 2 * * *', 'America/New_York', '2026-03-08T00:00:00Z', ['2026-03-08T07:00:00Z', '2026-03-09T06:30:00Z']],
    ['30 1 * * *', 'America/New_York', '2026-11-01T00:00:00Z', ['2026-11-01T05:30:00Z', '2026-11-02T06:30:00Z']],
    ['0,30 2 * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', ['2026-03-29T01:00:00Z', '2026-03-30T00:00:00Z']],
    ['0 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', ['2026-10-03T15:30:00Z', '2026-10-04T15:00:00Z']],
    ['0 0 * * *', 'America/Santiago', '2026-09-06T00:00:00Z', ['2026-09-06T04:00:00Z', '2026-09-07T03:00:00Z']],
    ['*/30 * * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', ['2026-10-25T01:00:00Z', '2026-10-25T01:30:00Z']],
    ['15 */1 * * *', 'Asia/Kathmandu', '2026-03-29T00:00:00Z', ['2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z']],
  ])('fires %s in %s after %s at %j', (cron, timezone, after, expected) => {
    const found: string[] = [];
    let from = new Date(after);
    for (const _instant of expected) {
      from = nextInstant({ cron, timezone }, from)!;
      found.push(from.toISOString().replace('.000', ''));
    }
    expect(found).toEqual(expected);
  });

  it('is announced at every due instant, once, in all zones, and after an outage for the last that it missed (a sample)', () => {
    const random = seededRandom(1);
    for (const window of samplesOf(zonesOfTenYears(), 150_000, random)) {
      const { announced, ticks } = tickOver(window, random);
      expect(announced, JSON.stringify(window)).toEqual(toBeAnnounced(window, ticks));
    }
  });
});
