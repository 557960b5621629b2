import { describe, expect, it } from 'vitest';
import { parseExpression } from '../../core/schedules/expression.ts';

/** The next instants after `from`, in the UTC form `2026-01-01T00:00`. */
function next(expression: string, from: string, count: number, timeZone = 'UTC'): string[] {
  const timetable = parseExpression(expression, { timeZone, anchor: Date.parse('2026-01-01T00:00:00Z') });
  const instants: string[] = [];
  let after: number | undefined = Date.parse(`${from}Z`);
  while (instants.length < count) {
    after = timetable.next(after);
    if (after === undefined) break;
    instants.push(new Date(after).toISOString().slice(0, 16));
  }
  return instants;
}

describe('a cron expression of AWS', () => {
  it.each([
    ['cron(0 10 * * ? *)', ['2026-01-01T10:00', '2026-01-02T10:00']],
    ['cron(15 12 * * ? *)', ['2026-01-01T12:15', '2026-01-02T12:15']],
    ['cron(0 18 ? * MON-FRI *)', ['2026-01-01T18:00', '2026-01-02T18:00', '2026-01-05T18:00']],
    ['cron(0 18 ? * 2-6 *)', ['2026-01-01T18:00', '2026-01-02T18:00', '2026-01-05T18:00']],
    ['cron(0 8 1 * ? *)', ['2026-01-01T08:00', '2026-02-01T08:00']],
    ['cron(0/15 * * * ? *)', ['2026-01-01T00:15', '2026-01-01T00:30', '2026-01-01T00:45', '2026-01-01T01:00']],
    ['cron(5,35 14 * * ? *)', ['2026-01-01T14:05', '2026-01-01T14:35', '2026-01-02T14:05']],
    ['cron(0/30 20-23 ? * MON-FRI *)', ['2026-01-01T20:00', '2026-01-01T20:30']],
    ['cron(15 10 ? * 6L 2026-2027)', ['2026-01-30T10:15', '2026-02-27T10:15']],
    ['cron(15 10 ? * FRIL *)', ['2026-01-30T10:15', '2026-02-27T10:15']],
    ['cron(0 2 ? * SAT#3 *)', ['2026-01-17T02:00', '2026-02-21T02:00']],
    ['cron(0 2 ? * 7#3 *)', ['2026-01-17T02:00', '2026-02-21T02:00']],
    ['cron(0 9 ? * 2#1 *)', ['2026-01-05T09:00', '2026-02-02T09:00']],
    ['cron(0 9 ? * 1 *)', ['2026-01-04T09:00', '2026-01-11T09:00']],
    ['cron(0 9 ? * L *)', ['2026-01-03T09:00', '2026-01-10T09:00']],
    ['cron(0 0 L * ? *)', ['2026-01-31T00:00', '2026-02-28T00:00', '2026-03-31T00:00']],
    ['cron(0 0 1W * ? *)', ['2026-02-02T00:00', '2026-03-02T00:00', '2026-04-01T00:00']],
    ['cron(0 0 15W 8 ? *)', ['2026-08-14T00:00', '2027-08-16T00:00']],
    ['cron(0 0 31W * ? *)', ['2026-01-30T00:00', '2026-03-31T00:00']],
    ['cron(0 12 29 FEB ? *)', ['2028-02-29T12:00', '2032-02-29T12:00']],
    ['cron(0 0 1 JAN,jul ? 2026/2)', ['2026-07-01T00:00', '2028-01-01T00:00', '2028-07-01T00:00']],
    ['cron(0 8-17/3 * * ? *)', ['2026-01-01T08:00', '2026-01-01T11:00', '2026-01-01T14:00', '2026-01-01T17:00']],
    ['cron(15 10 ? * 6L 2002-2005)', []],
  ])('%s is due at %j', (expression, instants) => {
    expect(next(expression, '2026-01-01T00:00:00', Math.max(1, instants.length))).toEqual(instants);
  });

  it.each([
    'cron()',
    'cron(INVALID)',
    'cron(0 dummy ? * MON-FRI *)',
    'cron(7 20 * * NOT *)',
    'cron(71 8 1 * ? *)',
    'cron(0 1 * * * *)',
    'cron(0 1 ? * ? *)',
    'cron(0 1 * * ?)',
    'cron(0 0 0 * ? *)',
    'cron(0 0 32 * ? *)',
    'cron(0 0 ? * 8 *)',
    'cron(0 0 ? * MON#6 *)',
    'cron(0 0 LW * ? *)',
    'cron(0 0 1 13 ? *)',
    'cron(0/0 0 1 * ? *)',
    'cron(50-10 0 1 * ? *)',
    'cron(0 0 1 * ? 1969)',
    'rate(10 seconds)',
    'rate(10 years)',
    'rate()',
    'rate(10)',
    'rate(10 minutess)',
    'rate(foo minutes)',
    'rate(0 minutes)',
    'rate(-10 minutes)',
    'rate( 10 minutes )',
    ' rate(10 minutes)',
    'at(2021-12-31T23:59:59Z)',
    'at(2021-12-31)',
    'at(2021-02-30T00:00:00)',
    'every minute',
  ])('%s is rejected', (expression) => {
    expect(() => parseExpression(expression, { timeZone: 'UTC', anchor: 0 })).toThrow();
  });
});

describe('a rate', () => {
  it('counts from its anchor, whose instant is the first', () => {
    expect(next('rate(90 minutes)', '2025-12-31T12:00:00', 3)).toEqual([
      '2026-01-01T00:00',
      '2026-01-01T01:30',
      '2026-01-01T03:00',
    ]);
    expect(next('rate(1 day)', '2026-01-05T13:00:00', 2)).toEqual(['2026-01-06T00:00', '2026-01-07T00:00']);
  });
});

describe('daylight saving', () => {
  it.each([
    [
      'New York in spring',
      'America/New_York',
      'cron(30 2 * * ? *)',
      '2026-03-07T00:00:00',
      ['2026-03-07T07:30', '2026-03-09T06:30'],
    ],
    [
      'New York in autumn',
      'America/New_York',
      'cron(30 1 * * ? *)',
      '2026-10-31T12:00:00',
      ['2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    [
      'Berlin in spring',
      'Europe/Berlin',
      'cron(0 2 * * ? *)',
      '2026-03-28T12:00:00',
      ['2026-03-30T00:00', '2026-03-31T00:00'],
    ],
    [
      'Berlin in autumn',
      'Europe/Berlin',
      'cron(15 2 * * ? *)',
      '2026-10-24T12:00:00',
      ['2026-10-25T00:15', '2026-10-26T01:15'],
    ],
    [
      'Sydney in spring',
      'Australia/Sydney',
      'cron(30 2 * * ? *)',
      '2026-10-03T00:00:00',
      ['2026-10-04T15:30', '2026-10-05T15:30'],
    ],
    [
      'Sydney in autumn',
      'Australia/Sydney',
      'cron(30 2 * * ? *)',
      '2026-04-04T00:00:00',
      ['2026-04-04T15:30', '2026-04-05T16:30'],
    ],
    [
      'Lord Howe, by half an hour, in autumn',
      'Australia/Lord_Howe',
      'cron(45 1 * * ? *)',
      '2026-04-04T00:00:00',
      ['2026-04-04T14:45', '2026-04-05T15:15'],
    ],
    [
      'Kathmandu, which has none',
      'Asia/Kathmandu',
      'cron(0 6 * * ? *)',
      '2026-03-28T12:00:00',
      ['2026-03-29T00:15', '2026-03-30T00:15'],
    ],
  ])('%s: a skipped time is left out, a repeated one counts once', (_what, zone, expression, from, instants) => {
    expect(next(expression, from, 2, zone)).toEqual(instants);
  });

  it('skips the missing hour in spring, and the second pass of the repeated hour in autumn', () => {
    expect(next('cron(0/30 * * * ? *)', '2026-03-08T06:15:00', 3, 'America/New_York')).toEqual([
      '2026-03-08T06:30',
      '2026-03-08T07:00',
      '2026-03-08T07:30',
    ]);
    expect(next('cron(0/30 * * * ? *)', '2026-11-01T05:15:00', 3, 'America/New_York')).toEqual([
      '2026-11-01T05:30',
      '2026-11-01T07:00',
      '2026-11-01T07:30',
    ]);
  });

  it('reads at in its zone', () => {
    expect(next('at(2026-07-01T09:00:00)', '2026-01-01T00:00:00', 2, 'Europe/Berlin')).toEqual(['2026-07-01T07:00']);
  });
});
