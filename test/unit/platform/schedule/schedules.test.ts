import { describe, expect, it } from 'vitest';
import { dueInstants } from '../../../../functions/platform/workers/minute-tick/announce-due.ts';
import { instantsBetween, nextInstant, scheduleIssues } from '../../../../shared/platform/schedule/schedule.ts';

describe('schedules', () => {
  const between = (cron: string, timezone: string, from: string, until: string) =>
    instantsBetween((after) => nextInstant({ cron, timezone }, after), new Date(from), new Date(until)).map((instant) =>
      instant.toISOString(),
    );

  it('fires once at the end of the gap when the clock skips the local time', () => {
    expect(between('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', '2026-03-29T12:00Z')).toEqual([
      '2026-03-29T01:00:00.000Z',
    ]);
    expect(between('30 2 * * *', 'America/New_York', '2026-03-07T12:00Z', '2026-03-08T12:00Z')).toEqual([
      '2026-03-08T07:00:00.000Z',
    ]);
  });

  it('fires once, at the first occurrence, when the clock repeats the local time', () => {
    expect(between('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', '2026-10-25T12:00Z')).toEqual([
      '2026-10-25T00:30:00.000Z',
    ]);
    expect(between('30 2 * * *', 'Australia/Sydney', '2026-04-04T06:00Z', '2026-04-05T06:00Z')).toEqual([
      '2026-04-04T15:30:00.000Z',
    ]);
  });

  it('keeps the rhythm of everySeconds whatever the local time', () => {
    const found = instantsBetween(
      (after) => nextInstant({ everySeconds: 3600 }, after),
      new Date('2026-03-29T00:00Z'),
      new Date('2026-03-29T03:00Z'),
    );
    expect(found.map((instant) => instant.getUTCHours())).toEqual([1, 2, 3]);
  });

  it.each([
    [{ cron: '0 6 * * 1-5' }, []],
    [{ cron: '@daily' }, []],
    [{ cron: '0 6 * * * *' }, ['CRON_INVALID']],
    [{ cron: '61 * * * *' }, ['CRON_INVALID']],
    [{ cron: '0 6 * * *', everySeconds: 60 }, ['NOT_ALLOWED']],
    [{ everySeconds: 60, timezone: 'Europe/Atlantis' }, ['TIMEZONE_UNKNOWN']],
  ])('finds the issues of %j: %j', (schedule, codes) => {
    expect(scheduleIssues(schedule, '').map(({ code }) => code)).toEqual(codes);
  });

  it('makes up for the last missed instant only', () => {
    const at = (time: string) => new Date(`2026-01-01T${time}Z`);
    const due = dueInstants(
      (after) => nextInstant({ everySeconds: 60 }, after),
      at('00:01:00'),
      at('00:10:30'),
      at('00:11:45'),
    );
    expect(due).toEqual([at('00:10:00'), at('00:11:00')]);
  });
});

describe('schedules that take long to evaluate', () => {
  it('are rejected when they never fire within fifty years, without a search until the end of time', () => {
    // In New York the hour is skipped in every year in which the day is a Sunday.
    const never = { cron: '* 2 8 3 +SUN', timezone: 'America/New_York' };
    const startedAt = performance.now();
    expect(scheduleIssues(never, '')).toMatchObject([{ pointer: '/cron', code: 'CRON_NEVER' }]);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(scheduleIssues({ ...never, timezone: 'UTC' }, '')).toEqual([]);
  });

  it('never fire when they are stored with a text that is too long or cannot be read', () => {
    const after = new Date('2026-01-01T00:00:00Z');
    expect(nextInstant({ cron: `${'1,'.repeat(160_000)}1 * * * *` }, after)).toBeUndefined();
    expect(nextInstant({ cron: 'at noon on Sundays please' }, after)).toBeUndefined();
    const every = (length: number, first: number) => Array.from({ length }, (_, index) => index + first).join(',');
    const longest = `${every(60, 0)} ${every(24, 0)} ${every(31, 1)} ${every(12, 1)} ${every(7, 0)}`;
    expect(nextInstant({ cron: longest }, after)).toEqual(new Date('2026-01-01T00:01:00Z'));
  });
});
