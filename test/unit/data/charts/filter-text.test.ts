import { expect, it } from 'vitest';
import { filterText } from '../../../../shared/data/charts/filter-text.ts';
import type { OPERATORS } from '../../../../shared/domains/semantics/questions/schemas.ts';

const TEXTS: Record<(typeof OPERATORS)[number], [(string | number | boolean)[], string][]> = {
  eq: [
    [['eu'], 'eu'],
    [[true], 'yes'],
  ],
  ne: [[['eu'], 'not eu']],
  in: [
    [['eu', 'us'], 'eu, us'],
    [Array.from({ length: 14 }, (_, index) => index), '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more'],
  ],
  not_in: [[['eu', 'us'], 'not eu, us']],
  gt: [[[10], '> 10']],
  gte: [[['2026-01-01'], '≥ 2026-01-01']],
  lt: [[[10], '< 10']],
  lte: [[[10], '≤ 10']],
  between: [[['2026-01-01', '2026-03-31'], 'from 2026-01-01 to 2026-03-31']],
  contains: [[['sh'], 'contains “sh”']],
  not_contains: [[['sh'], 'does not contain “sh”']],
  ends_with: [[['sh'], 'ends with “sh”']],
  starts_with: [[['sh'], 'begins with “sh”']],
  is_null: [[[], 'no value']],
  not_null: [[[], 'any value']],
  last_n: [
    [[30, 'day'], 'last 30 days'],
    [[1, 'month'], 'last 1 month'],
  ],
  this: [
    [['month'], 'this month'],
    [['fiscal_year'], 'this fiscal year'],
  ],
  prev: [
    [['month'], 'previous month'],
    [[2, 'quarter'], 'previous 2 quarters'],
    [[2, 'fiscal_period'], 'previous 2 fiscal periods'],
  ],
  in_period: [[['2026-02-01', 'fiscal_quarter'], 'fiscal quarter of 2026-02-01']],
};

it.each(Object.entries(TEXTS))('a filter with %s is named in words', (op, texts) => {
  for (const [values, text] of texts) expect(filterText({ op, values })).toBe(text);
});
