import { describe, expect, it } from 'vitest';
import type { Typed } from '../../../../shared/data/expressions/index.ts';
import { conditionOn } from '../../../../shared/domains/semantics/questions/conditions.ts';

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
  op: 'last_n' | 'this' | 'prev',
  values: (string | number)[],
  timezone: string,
) {
  const made = conditionOn(field(type), { op, values }, { now, timezone });
  if ('issues' in made || made.kind !== 'logic') throw new Error(JSON.stringify(made));
  return made.operands.map((each) => {
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
  ] as const)('%s %j in %s is from %s to %s', (op, values, timezone, from, to) => {
    expect(bounds('date', op, [...values], timezone)).toEqual([`>= ${from}`, `< ${to}`]);
  });

  it('has times of day in the time zone of the question', () => {
    expect(bounds('datetime', 'last_n', [2, 'hour'], 'Europe/Berlin')).toEqual([
      '>= 2026-03-30 00:00:00',
      '< 2026-03-30 02:00:00',
    ]);
  });
});
