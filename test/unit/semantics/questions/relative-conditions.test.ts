import { describe, expect, it } from 'vitest';
import type { Typed } from '../../../../shared/data/expressions/index.ts';
import { conditionOn } from '../../../../shared/domains/semantics/questions/conditions.ts';
import { CALENDARS } from '../../support/fiscal-years.ts';

/** A Sunday evening in New York, and Monday 30 March in Berlin, the day after clocks were put forward. */
const now = new Date('2026-03-29T23:30:00Z');

const field = (type: 'date' | 'datetime'): Typed => ({
  kind: 'field',
  table: 't',
  field: 'f',
  type,
  level: 'row',
  from: 0,
  to: 0,
});

/** The bounds of the condition: from the first, to before the second. */
function bounds(
  type: 'date' | 'datetime',
  op: 'last_n' | 'this' | 'prev' | 'in_period' | 'between' | 'lte' | 'gt',
  values: (string | number)[],
  timezone: string,
  calendar = CALENDARS.retail,
) {
  const made = conditionOn(field(type), { op, values }, { now, timezone, calendar });
  if ('issues' in made) throw new Error(JSON.stringify(made));
  return (made.kind === 'logic' ? made.operands : [made]).map((each) => {
    if (each.kind !== 'compare' || each.right.kind !== 'literal' || !('text' in each.right.literal)) throw new Error();
    return `${each.operator} ${each.right.literal.text}`;
  });
}

describe('a condition relative to now', () => {
  it.each([
    ['this', ['day'], 'Europe/Berlin', '2026-03-30', '2026-03-31'],
    ['this', ['day'], 'America/New_York', '2026-03-29', '2026-03-30'],
    ['this', ['week'], 'Europe/Berlin', '2026-03-30', '2026-04-06'],
    ['this', ['week'], 'America/New_York', '2026-03-23', '2026-03-30'],
    ['this', ['quarter'], 'UTC', '2026-01-01', '2026-04-01'],
    ['prev', ['month'], 'UTC', '2026-02-01', '2026-03-01'],
    ['prev', [2, 'year'], 'UTC', '2024-01-01', '2026-01-01'],
    ['last_n', [7, 'day'], 'UTC', '2026-03-23', '2026-03-30'],
    ['last_n', [1, 'month'], 'UTC', '2026-03-01', '2026-04-01'],
    ['last_n', [10_000, 'year'], 'UTC', '0001-01-01', '2027-01-01'],
    // Weeks begin on Sunday.
    ['this', ['fiscal_week'], 'America/New_York', '2026-03-29', '2026-04-05'],
    ['this', ['fiscal_period'], 'UTC', '2026-03-01', '2026-04-05'],
    ['prev', ['fiscal_quarter'], 'UTC', '2025-11-02', '2026-02-01'],
    ['last_n', [3, 'fiscal_year'], 'UTC', '2024-02-04', '2027-01-31'],
    // The 53rd week of the year 2023.
    ['in_period', ['2024-02-03', 'fiscal_period'], 'UTC', '2023-12-31', '2024-02-04'],
    ['in_period', ['2026-03-29', 'month'], 'UTC', '2026-03-01', '2026-04-01'],
  ] as const)('%s %j in %s is from %s to %s', (op, values, timezone, from, to) => {
    expect(bounds('date', op, [...values], timezone)).toEqual([`>= ${from}`, `< ${to}`]);
  });

  it('begins fiscal years in January without a calendar', () => {
    const made = conditionOn(field('date'), { op: 'this', values: ['fiscal_year'] }, { now, timezone: 'UTC' });
    expect(JSON.stringify(made)).toMatch(/2026-01-01.*2027-01-01/);
  });

  it.each([
    [['2026-02-30', 'month']],
    [['2026-02-01']],
    [['2026-02-01', 'hour']],
    [['2026-02-01', 'month', 1]],
    [[7, 'day']],
  ])('in_period cannot have the values %j', (values) => {
    const made = conditionOn(field('date'), { op: 'in_period', values }, { now, timezone: 'UTC' });
    expect(made).toMatchObject({ issues: [{ pointer: '/values', code: 'INVALID' }] });
  });

  it('has times of day in the time zone of the question', () => {
    expect(bounds('datetime', 'last_n', [2, 'hour'], 'Europe/Berlin')).toEqual([
      '>= 2026-03-30 00:00:00',
      '< 2026-03-30 02:00:00',
    ]);
  });
});

describe('a condition with a day', () => {
  it.each([
    ['between', ['2026-01-01', '2026-01-31'], ['>= 2026-01-01 00:00:00', '< 2026-02-01 00:00:00']],
    ['lte', ['2026-12-31'], ['< 2027-01-01 00:00:00']],
    ['gt', ['2028-02-28'], ['>= 2028-02-29 00:00:00']],
    ['between', ['2026-01-01', '2026-01-31 12:00'], ['>= 2026-01-01 00:00:00', '<= 2026-01-31 12:00:00']],
    ['gt', ['2026-01-31T00:00:00Z'], ['> 2026-01-31 00:00:00Z']],
  ] as const)('%s %j of a datetime is %j: all moments of the day belong to it', (op, values, expected) => {
    expect(bounds('datetime', op, [...values], 'Europe/Berlin')).toEqual(expected);
  });

  it('of a date is the day itself', () => {
    expect(bounds('date', 'between', ['2026-01-01', '2026-01-31'], 'UTC')).toEqual(['>= 2026-01-01', '<= 2026-01-31']);
  });
});
