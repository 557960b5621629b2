import { expect, it } from 'vitest';
import { readAs, TYPE_TESTS } from '../../../../shared/data/files/text-types.ts';
import { openTestEngine, rowsOf } from '../engine/open-test-engine.ts';

const PARTS = [
  '',
  '0',
  '1',
  '5',
  '.',
  '-',
  '+',
  'e',
  '_',
  ' ',
  ':',
  '0',
  '9999-12-3',
  '2020-01-01 10:00:0',
  '0044-03-15 (BC) 10:00:0',
  'infinity',
];

/** Texts of up to five characters or parts, most of them like numbers, dates and moments, and moments of many years. */
const TEXTS = `WITH parts AS (SELECT unnest([${PARTS.map((part) => `'${part}'`).join(', ')}]) AS part)
  SELECT DISTINCT concat(a.part, b.part, c.part, d.part, e.part) AS text
    FROM parts a, parts b, parts c, parts d, parts e WHERE length(concat(b.part, c.part, d.part, e.part)) <= 10
  UNION ALL SELECT (make_timestamp(year::BIGINT, 2, 3, 4, 5, 6.007))::VARCHAR FROM range(-20000, 20000, 7) years(year)
  UNION ALL SELECT make_date(year::INTEGER, 2, 3)::VARCHAR FROM range(-20000, 20000, 7) years(year)`;

it.each(TYPE_TESTS.filter(([, , details]) => details?.plain).map((test) => ({ test, type: test[0] })))(
  'finds no plain $type among texts that are none',
  async ({ test }) => {
    const { engine } = await openTestEngine();
    const [, fits, details] = test;
    const value = readAs('text', test);
    const [[plain, wrong] = []] = await rowsOf(
      engine,
      `SELECT count(*) FILTER (WHERE plain), list(text) FILTER (WHERE plain AND NOT fits) FROM (
        SELECT text, coalesce(${details?.plain?.('text', value)}, false) AS plain, coalesce(${fits('text', value)}, false) AS fits
          FROM (${TEXTS}))`,
    );
    expect(wrong).toBe(null);
    expect(Number(plain)).toBeGreaterThan(300);
  },
);
