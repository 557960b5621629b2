import { expect, it } from 'vitest';
import type { ChartColumn } from '../../../../shared/data/charts/chart-columns.ts';
import type { ChartLook } from '../../../../shared/data/charts/chart-look.ts';
import { DEFAULT_TOKENS } from '../../../../shared/data/charts/theme.ts';
import { cardPicture } from '../../../../shared/data/documents/card-picture.ts';
import { writePng } from '../../../../shared/data/documents/png.ts';
import { pngOf } from '../../../support/read-png.ts';

const COLUMNS = [
  { name: 'region', type: 'string', role: 'dimension' },
  { name: 'amount', type: 'decimal', role: 'measure' },
] as ChartColumn[];
const BARS = {
  mark: { type: 'bar' },
  encoding: { x: { field: 'amount', type: 'quantitative' }, y: { field: 'region', type: 'nominal' } },
} as ChartLook;
const SIZE = { width: 400, height: 200 };

const written = async (regions: readonly string[], dark: boolean, title = 'Revenue') => {
  const data = { columns: COLUMNS, rows: regions.map((region, index) => [region, 10 * (index + 1)]) };
  const content = { kind: 'chart', look: BARS, data, truncated: false, asOf: '', timezone: 'UTC' } as const;
  const picture = await cardPicture(
    { title, description: '', content },
    { ...SIZE, theme: { ...DEFAULT_TOKENS, dark } },
  );
  return writePng(picture);
};

it('a card is drawn as PNG: background, bars and texts, with its alternative text', async () => {
  for (const dark of [false, true]) {
    const { bytes, missing } = await written(['North', 'مرحبا', '东部', 'שלום 한국어 🎉'], dark);
    expect(missing).toEqual([]);
    const { width, height, texts, pixel, colours } = pngOf(bytes);
    expect([width, height]).toEqual([800, 400]);
    expect(pixel(2, 2)).toBe(dark ? '#14181f' : '#ffffff');
    expect(pixel(798, 398)).toBe(dark ? '#14181f' : '#ffffff');
    expect(colours.get('#4269d0')).toBeGreaterThan(20_000);
    expect(colours.get(dark ? '#e8ebf0' : '#1c2430'), 'the title').toBeGreaterThan(100);
    expect(texts.Description).toBe(
      'Revenue. Bar chart of 4 rows. region: North, amount: 10. region: مرحبا, amount: 20. region: 东部, amount: 30. region: שלום 한국어 🎉, amount: 40',
    );
    expect(bytes.length).toBeLessThan(40_000);
  }
});

it('characters that no font has are reported, and hostile texts are text', async () => {
  const { missing } = await written(
    ['\u{10fffd}', '</text><script>alert(1)</script>', '\u0000\ud800'],
    false,
    '&<"\'>',
  );
  expect(missing).toContain('\u{10fffd}');
});
