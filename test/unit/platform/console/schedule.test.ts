import { describe, expect, it } from 'vitest';
import { fieldsOf, scheduleInWords, scheduleOf } from '../../../../functions/platform/console/site/ui/schedule.ts';

const WORDS = [
  [null, 'no schedule'],
  [{}, 'no schedule'],
  [{ cron: '0 6 * * 1-5', timezone: 'Europe/Berlin' }, 'weekdays 06:00 Berlin'],
  [{ cron: '0 6 * * MON-FRI' }, 'weekdays 06:00 UTC'],
  [{ cron: '30 2 * * *', timezone: 'America/New_York' }, 'daily 02:30 New York'],
  [{ cron: '@daily' }, 'daily 00:00 UTC'],
  [{ cron: '5 4 * * 7' }, 'Sundays 04:05 UTC'],
  [{ cron: '0 0 1 * *' }, 'day 1 of the month 00:00 UTC'],
  [{ cron: '15 * * * *' }, 'every hour at :15'],
  [{ cron: '0 * * * *' }, 'every hour'],
  [{ cron: '*/5 1,2 * 3 *' }, '*/5 1,2 * 3 * UTC'],
  [{ cron: '0 6 1 * 1' }, '0 6 1 * 1 UTC'],
  [{ everySeconds: 900 }, 'every 15 minutes'],
  [{ everySeconds: 3600 }, 'every hour'],
  [{ everySeconds: 86_400 }, 'every day'],
  [{ everySeconds: 61 }, 'every 61 seconds'],
  [{ cron: '0 6 * * 1-5', enabled: false }, 'switched off (weekdays 06:00 UTC)'],
] as const;

describe('a schedule in the console', () => {
  it.each(WORDS)('%j reads: %s', (schedule, words) => {
    expect(scheduleInWords(schedule)).toBe(words);
  });

  it('is the same after a form has shown it', () => {
    for (const [schedule] of WORDS) {
      if (!schedule || Object.keys(schedule).length === 0) continue;
      expect(scheduleInWords(scheduleOf(fieldsOf(schedule, 'Asia/Tokyo')))).toBe(
        scheduleInWords({ ...schedule, enabled: true }),
      );
    }
  });

  it('begins in the time zone of the browser, and is removed by “never”', () => {
    const fields = fieldsOf(null, 'Asia/Tokyo');
    expect(scheduleOf(fields)).toEqual({});
    expect(scheduleOf({ ...fields, kind: 'weekdays' })).toEqual({ cron: '0 6 * * 1-5', timezone: 'Asia/Tokyo' });
  });
});
