import { describe, expect, it } from 'vitest';
import { blockOf } from '../../../../functions/delivery/kinds/schedules/card-blocks.ts';
import { composed, type TableBlock } from '../../../../shared/platform/mail/compose.ts';

const month = { name: 'Month', role: 'dimension', type: 'date', grain: 'month' } as const;
const revenue = { name: 'Revenue', role: 'measure', type: 'decimal' } as const;
const kpi = { mark: { type: 'kpi' } } as const;

describe('a card in an email', () => {
  it('is a number with its change', () => {
    const rows = [
      ['2026-01-01', '200'],
      ['2026-02-01', '150'],
    ];
    expect(blockOf({ title: 'Sales', look: kpi, columns: [month, revenue], rows })).toEqual({
      name: 'Sales',
      value: '150',
      lines: [
        { text: 'Revenue · Feb 2026', tone: 'plain' },
        { text: '▼ −25.0% since Jan 2026', tone: 'bad' },
      ],
    });
    const slower = { mark: { type: 'kpi', direction: 'down_good', target: 120 } } as const;
    expect(blockOf({ title: 'Revenue', look: slower, columns: [month, revenue], rows })).toEqual({
      name: 'Revenue',
      value: '150',
      lines: [
        { text: 'Feb 2026', tone: 'plain' },
        { text: '▼ −25.0% since Jan 2026', tone: 'good' },
        { text: '▲ +25.0% to target 120', tone: 'bad' },
      ],
    });
    const hardly = [
      ['2026-01-01', '100000'],
      ['2026-02-01', '99990'],
    ];
    expect(blockOf({ title: 'Sales', look: kpi, columns: [month, revenue], rows: hardly })).toMatchObject({
      lines: [{}, { text: '▼ <0.1% since Jan 2026', tone: 'bad' }],
    });
    expect(blockOf({ title: '', look: kpi, columns: [revenue], rows: [[null]] })).toEqual({
      ...{ name: 'Revenue', value: '–', lines: [] },
    });
  });

  it('is the beginning of a table, which says what it leaves out', () => {
    const columns = Array.from({ length: 8 }, (_, at) => ({ ...revenue, name: `c${at}` }));
    const rows = Array.from({ length: 20 }, (_, row) => columns.map((_column, at) => row * 1000 + at));
    const block = blockOf({ title: 'Wide', look: undefined, columns, rows });
    expect(block).toMatchObject({ note: '12 more rows, 2 more columns', columns: { length: 6 }, rows: { length: 8 } });
    const more = (count: number) =>
      blockOf({ title: 'Cut', look: undefined, columns: [revenue], rows: rows.slice(0, count), truncated: true });
    // How many rows there are is not known.
    expect([more(20), more(5)]).toMatchObject([{ note: 'at least 12 more rows' }, { note: 'more rows' }]);
    const { columns: shown, rows: first } = block as TableBlock;
    expect(shown[0]).toEqual({ name: 'c0', isNumber: true });
    expect(first[1]!.slice(0, 2)).toEqual(['1,000', '1,001']);
  });

  it('says that it has no rows, and shortens long values', () => {
    expect(blockOf({ title: 'Empty', look: kpi, columns: [revenue], rows: [] })).toEqual({
      ...{ name: 'Empty', text: 'No rows' },
    });
    const name = { name: 'Name', role: 'dimension', type: 'string' } as const;
    const block = blockOf({ title: 'Long', look: undefined, columns: [name], rows: [['x'.repeat(500)]] });
    expect(block).toMatchObject({ rows: [[`${'x'.repeat(59)}…`]], note: null });
    expect(
      blockOf({ title: 'Long', look: kpi, columns: [{ ...name, role: 'measure' }], rows: [['x'.repeat(500)]] }),
    ).toMatchObject({
      value: `${'x'.repeat(59)}…`,
    });
  });

  it('is escaped and kept on its line, whatever its names and values contain', () => {
    const evil = '<b>\u202e"1"\r\nBcc: x@example.com';
    const column = { name: evil, role: 'dimension', type: 'string' } as const;
    const block = blockOf({ title: evil, look: undefined, columns: [column], rows: [[evil]] });
    const { html, text } = composed({ subject: 'x', paragraphs: [], blocks: [block, { name: evil, text: evil }] });
    expect(html).not.toContain('<b>');
    expect(html).not.toContain('\u202e');
    expect(html.match(/&lt;b&gt;/g)!.length).toBeGreaterThan(4);
    expect(text).not.toContain('\u202e');
    // Only the text of a card may have several lines.
    expect(text.match(/^Bcc:/gm)).toHaveLength(1);
  });
});
