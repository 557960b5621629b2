import { expect, it } from 'vitest';
import { unknownNumbers } from '../../../../shared/domains/boards/cards/index.ts';

const data = {
  columns: [
    { name: 'Q1 region', role: 'dimension', type: 'string' },
    { name: 'day', role: 'dimension', type: 'date' },
    { name: 'revenue', role: 'measure', type: 'decimal' },
    { name: 'margin', role: 'measure', type: 'double' },
  ],
  rows: [
    ['Area 51', '2026-03-05', '1250500.25', 0.234],
    ['North', '2026-03-06', '-980', 0.1],
  ],
} as const;

it.each([
  ['North lost 980, Area 51 made 1,250,500.25.', []],
  ['Revenue was about 1.25 million, or 1,251k, and 1,250,500 exactly.', []],
  ['The margin was 23.4% on 5 March 2026, and 10 percent a day later; Q1 has 2 rows.', []],
  ['Revenue was 1.3 million in 2026.', []],
  ['Revenue was 1.26 million.', ['1.26million']],
  ['Both made 1,249,520 in all.', ['1,249,520']],
  ['Up 24% since 2025.', ['24%', '2025']],
])('%s', (text, unknown) => expect(unknownNumbers(text, data)).toEqual(unknown));
