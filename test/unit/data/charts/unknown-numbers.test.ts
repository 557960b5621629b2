import { expect, it } from 'vitest';
import { numbersBeyond, unknownNumbers } from '../../../../shared/domains/boards/cards/index.ts';

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

it.each([
  ['Revenue fell to 1,180, or 1.2k, from 1,250.', []],
  ['Down 5.6% in 2026, about 3.1 million.', []],
  ['Down 5.6 percent, about 3,100,000.', []],
  ['Down 70, or 6%.', ['70']],
  ['It was 7% in 2025, and 1 of 4.', ['7%', '2025', '1', '4']],
])('beyond known texts: %s', (text, beyond) => {
  expect(numbersBeyond(text, ['1,180', 'Revenue was 1,250 in 2026, down 5.6%, or 3.1 million.'])).toEqual(beyond);
});
