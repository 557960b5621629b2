import { describe, expect, it } from 'vitest';
import type { ChartColumn } from '../../../../shared/data/charts/chart-columns.ts';
import { DEFAULT_TOKENS } from '../../../../shared/data/charts/theme.ts';
import type { DocumentCard } from '../../../../shared/data/documents/documents.ts';
import { writePreview } from '../../../../shared/data/documents/preview.ts';
import { previewCards } from '../../../../shared/data/documents/preview-layout.ts';
import { pngOf } from '../../../support/read-png.ts';

const at = (y: number, h: number) => ({ position: { x: 0, y, w: 12, h } });
const shown = (...cards: ReturnType<typeof at>[]) => previewCards(cards).map(({ top, rows }) => [top, rows]);

describe('the cards of a preview', () => {
  it('are those at the beginning, of which the last ones are lower if they do not fit', () => {
    expect(shown()).toEqual([]);
    expect(shown(at(0, 3), at(3, 7), at(10, 8))).toEqual([
      [0, 3],
      [3, 7],
    ]);
    expect(shown(at(0, 40))).toEqual([[0, 10]]);
    expect(shown(at(0, 3), at(3, 20))).toEqual([
      [0, 3],
      [3, 7],
    ]);
    // A chart of two rows could not be recognized, but a line of text can.
    expect(shown(at(0, 8), at(8, 8))).toEqual([[0, 8]]);
    expect(shown(at(0, 8), at(8, 2))).toEqual([
      [0, 8],
      [8, 2],
    ]);
    // The page may begin with empty rows.
    expect(shown(at(5, 3), at(9, 3))).toEqual([
      [0, 3],
      [4, 3],
    ]);
  });
});

const COLUMNS = [
  { name: 'region', type: 'string', role: 'dimension' },
  { name: 'amount', type: 'decimal', role: 'measure' },
] as ChartColumn[];
const LONG = 'Westmecklenburg-Vorpommern und Umgebung '.repeat(20);

const bars = (names: readonly string[]): DocumentCard => ({
  title: LONG,
  description: '',
  position: { x: 0, y: 0, w: 24, h: 8 },
  content: {
    kind: 'chart',
    look: {
      mark: { type: 'bar' },
      encoding: { x: { field: 'amount', type: 'quantitative' }, y: { field: 'region', type: 'nominal' } },
    },
    data: { columns: COLUMNS, rows: names.map((name, index) => [name, 10 * (index + 1)]) },
    truncated: false,
    asOf: '',
    timezone: 'UTC',
  },
});

describe('a preview', () => {
  it.each([false, true])('has the colors of its theme and stays within its edges (dark: %s)', async (dark) => {
    const theme = { ...DEFAULT_TOKENS, palette: ['#d81b60'], dark };
    const title = 'لوحة الإيرادات';
    const bytes = await writePreview({
      title,
      description: LONG,
      theme,
      cards: [bars(['North', LONG, 'الشرق', '東'])],
    });
    const { width, height, pixel, colours, texts } = pngOf(bytes);
    expect([width, height, texts.Description]).toEqual([1200, 630, title]);
    expect(colours.get('#d81b60')).toBeGreaterThan(20_000);
    const background = dark ? '#14181f' : '#ffffff';
    for (let y = 0; y < height; y += 1)
      for (const x of [0, 15, width - 16, width - 1]) expect(pixel(x, y)).toBe(background);
    for (let x = 0; x < width; x += 1) for (const y of [0, height - 1]) expect(pixel(x, y)).toBe(background);
    // Applications leave out pictures of more than a few hundred kilobytes.
    expect(bytes.length).toBeLessThan(300_000);
  });

  it('has its name alone if there are no cards, and hostile texts are text', async () => {
    const title = '</text><script>alert(1)</script>\u0000\ud800😀';
    const { colours } = pngOf(await writePreview({ title, description: '', theme: DEFAULT_TOKENS, cards: [] }));
    expect(colours.get('#1c2430')).toBeGreaterThan(100);
  });
});
