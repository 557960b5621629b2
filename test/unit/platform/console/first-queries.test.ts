import { describe, expect, it } from 'vitest';
import { firstQueries } from '../../../../functions/platform/console/site/data/first-queries.ts';

const column = (name: string, type: string, count = 10, min: string | null = null, max: string | null = null) => ({
  name,
  type,
  nulls: 0,
  distinct: { count, isExact: true },
  min,
  max,
  mean: null,
  topValues: [],
});

const titles = (columns: ReturnType<typeof column>[], rows = 1000) =>
  firstQueries(columns, rows).map(({ title }) => title);

describe('the first charts of a table', () => {
  it('are of its amount by time, by name, and in total', () => {
    const columns = [
      column('order_id', 'integer', 1000),
      column('placed', 'date', 365, '2025-01-01', '2026-01-31'),
      column('region', 'string', 4),
      column('weight', 'double'),
      column('revenue', 'decimal(10,2)', 900),
    ];
    expect(titles(columns)).toEqual(['revenue by week', 'revenue by region', 'revenue in total']);
    expect(firstQueries(columns, 1000)[0]!.query).toEqual({
      dimensions: [{ column: 'placed', grain: 'week', label: 'placed (week)' }],
      measures: [{ column: 'revenue', aggregation: 'sum', label: 'revenue' }],
      sort: [{ column: 'placed (week)' }],
    });
  });

  it('count rows without an amount, and leave out what names every row', () => {
    expect(
      titles([column('user_id', 'integer'), column('email', 'string', 1000), column('plan', 'string', 3)]),
    ).toEqual(['Rows by plan', 'Rows in total']);
  });

  it('have periods that fit the time', () => {
    const by = (min: string, max: string, type = 'date') => titles([column('at', type, 9, min, max)])[0];
    expect(by('2026-01-01', '2026-02-01')).toBe('Rows by day');
    expect(by('2026-01-01T00:00:00', '2026-01-02T00:00:00', 'timestamp')).toBe('Rows by hour');
    expect(by('2021-01-01', '2026-02-01')).toBe('Rows by month');
    expect(by('2010-01-01', '2026-02-01')).toBe('Rows by quarter');
    expect(by('1900-01-01', '2026-02-01')).toBe('Rows by year');
  });

  it('say when names are cut', () => {
    expect(titles([column('city', 'string', 300), column('sales', 'double')])[0]).toBe('sales by city, the 20 largest');
  });
});
