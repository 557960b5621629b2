import { describe, expect, it } from 'vitest';
import { DEFAULT_TOKENS } from '../../../../shared/data/charts/theme.ts';
import type { CardContent, DashboardDocument, DocumentCard } from '../../../../shared/data/documents/documents.ts';
import { paginated } from '../../../../shared/data/documents/page-layout.ts';
import { writePdf } from '../../../../shared/data/documents/pdf.ts';
import { pdfPages } from '../../../support/read-files.ts';

const data = {
  columns: [
    { name: 'Region', role: 'dimension', type: 'string' },
    { name: 'Sales', role: 'measure', type: 'decimal' },
  ],
  rows: [
    ['North <b>', '1250.50'],
    ['South', '20'],
  ],
} as const;
const encoding = { x: { field: 'Region' }, y: { field: 'Sales' }, color: { field: 'Sales' } };

const chart = (look: object): CardContent => ({
  kind: 'chart',
  look: look as Extract<CardContent, { kind: 'chart' }>['look'],
  data,
  truncated: true,
  asOf: '2026-03-01T09:00:00.000Z',
  timezone: 'UTC',
});

const card = (title: string, content: CardContent, position = { x: 0, y: 0, w: 12, h: 8 }): DocumentCard => ({
  title,
  description: '',
  position,
  content,
});

const DOCUMENT: DashboardDocument = {
  title: 'Sales <i> & co',
  description: 'Of all regions',
  timezone: 'Europe/Berlin',
  generatedAt: '2026-03-01T10:00:00.000Z',
  asOf: '2026-03-01T09:00:00.000Z',
  filters: ['Region: eu, us', 'Day: last 30 days'],
  theme: DEFAULT_TOKENS,
  pages: [],
};

async function written(cards: DocumentCard[], more: { title?: string } = {}) {
  const { bytes, missing } = await writePdf({ ...DOCUMENT, pages: [{ name: 'Overview', cards }], ...more });
  return { ...(await pdfPages(bytes)), missing };
}

describe('a PDF of a dashboard', () => {
  it('has the texts of its charts, headings, and alternative texts from the data', async () => {
    const { pages, title, language, missing } = await written([
      card('By region', chart({ mark: { type: 'bar' }, encoding })),
      card('As a table', chart({ mark: { type: 'table' } }), { x: 12, y: 0, w: 12, h: 8 }),
      card('Broken', { kind: 'problem', problem: 'The source is down.' }, { x: 0, y: 8, w: 12, h: 4 }),
    ]);
    expect([title, language, missing]).toEqual(['Sales <i> & co', 'en', []]);
    expect(pages).toHaveLength(1);
    for (const part of [
      'Sales <i> & co',
      'Overview',
      'By region',
      'North <b>',
      '1,250.5',
      'The source is down.',
      'Filters: Region: eu, us · Day: last 30 days',
      'Data as of 1 March 2026 at 10:00 · Created 1 March 2026 at 11:00 · Time zone Europe/Berlin',
      'Truncated: the first 2 rows',
    ])
      expect(pages[0]!.text).toContain(part);
    const { roles } = pages[0]!;
    expect(roles.map(({ role }) => role)).toEqual(expect.arrayContaining(['H1', 'H2', 'H3', 'P', 'Figure']));
    expect(roles.find(({ role }) => role === 'Figure')!.alt).toBe(
      'By region. Bar chart of 2 rows. Region: North <b>, Sales: 1,250.5. Region: South, Sales: 20',
    );
  });

  it('formats texts in Markdown, and continues those that are longer than their cards', async () => {
    const list = Array.from({ length: 90 }, (_, index) => `- Item ${index + 1}`).join('\n');
    const table = `|Region|Net|\n|-|-|\n${Array.from({ length: 70 }, (_, index) => `|R${index}|${index}|`).join('\n')}`;
    const text = `## Notes\n\n**Net** of [returns](https://example.com/a)\n\n${list}\n\n\`\`\`\nSELECT 1\n\`\`\`\n\n${table}\n\nThe end`;
    const { bytes } = await writePdf({
      ...DOCUMENT,
      pages: [{ name: '', cards: [card('About', { kind: 'text', text })] }],
    });
    const { pages } = await pdfPages(bytes);
    const words = pages.map((page) => page.text).join('\n');
    for (let item = 1; item <= 90; item += 1) expect(words).toMatch(new RegExp(`Item ${item}\\b`));
    for (const part of ['Notes', 'Net of returns', 'R69', 'SELECT 1', 'The end', 'About (continued)'])
      expect(words).toContain(part);
    expect(words).not.toMatch(/\*\*|\[returns|\|-|^- /m);
    expect(bytes.toString('latin1')).toContain('https://example.com/a');
    const roles = pages.flatMap((page) => page.roles.map(({ role }) => role));
    for (const role of ['H4', 'L', 'LI', 'Lbl', 'LBody', 'Code', 'Table', 'TR', 'TH', 'TD'])
      expect(roles).toContain(role);
    // A list and a table that continue are still one; further pages repeat the heading, which is read once.
    const counted = (role: string) =>
      Math.max(...pages.map((page) => page.roles.filter((each) => each.role === role).length));
    expect([counted('L'), counted('LI'), counted('Table'), counted('TH'), counted('TD')]).toEqual([1, 90, 1, 2, 140]);
    expect(words.split('Region').length).toBeGreaterThan(2);
  });

  it('has all rows and columns of tables as cells, on further pages below the same headings', async () => {
    const names = Array.from({ length: 14 }, (_, at) => ({
      name: `M${at}`,
      role: 'measure',
      type: 'decimal',
    }));
    const columns = [
      { name: 'Customer', role: 'dimension', type: 'string' },
      ...names,
    ] as unknown as typeof data.columns;
    const rows = Array.from({ length: 90 }, (_, row) => [
      row === 3 ? null : `C${row}`,
      ...names.map((_, at) => (row === 5 ? null : `${row}${'0'.repeat(at)}.5`)),
    ]);
    const content = { ...chart({ mark: { type: 'table' } }), data: { columns, rows }, truncated: false } as CardContent;
    const { bytes } = await writePdf({ ...DOCUMENT, pages: [{ name: '', cards: [card('Customers', content)] }] });
    const { pages } = await pdfPages(bytes);
    const words = pages.map(({ text }) => text).join('\n');
    for (const [customer] of rows) if (customer !== null) expect(words).toMatch(new RegExp(`\\b${customer}\\b`));
    for (const { name } of names) expect(words).toMatch(new RegExp(`\\b${name}\\b`));
    expect(words).toContain('Continued below');
    expect(words).toContain('Customers (continued)');
    expect(words).not.toContain('more rows');
    const counted = (role: string) => pages.map(({ roles }) => roles.filter((each) => each.role === role).length);
    // The columns are in parts, each of which is a table with one line of headings.
    const parts = Math.max(...counted('Table'));
    expect(parts).toBeGreaterThanOrEqual(1);
    expect(pages[0]!.roles.some(({ role }) => role === 'Figure')).toBe(false);
    const first = pages[0]!.roles.map(({ role }) => role);
    expect(first.filter((role) => role === 'TR')).toHaveLength(91);
    expect(first.indexOf('TH')).toBeLessThan(first.indexOf('TD'));
  });

  it('has fewer rows of each of many tables, and says how many it leaves out', async () => {
    const columns = Array.from({ length: 20 }, (_, at) => ({ name: `C${at}`, role: 'dimension', type: 'string' }));
    const rows = Array.from({ length: 200 }, (_, row) => columns.map(() => `${row}`));
    const content = {
      ...chart({ mark: { type: 'table' } }),
      data: { columns, rows },
      truncated: false,
    } as unknown as CardContent;
    const cards = Array.from({ length: 16 }, (_, at) => card(`T${at}`, content, { x: 0, y: at * 8, w: 24, h: 8 }));
    const { pages } = await written(cards);
    const words = pages.map(({ text }) => text).join('\n');
    expect(words.split('150 more rows').length).toBeGreaterThan(16);
  });

  it('draws every mark, and a dashboard without cards', async () => {
    const marks = ['line', 'area', 'point', 'rect', 'boxplot', 'kpi', 'pivot'];
    const cards = marks.map((type, at) =>
      card(
        type,
        chart({
          mark: { type },
          encoding: type === 'pivot' ? { row: { field: 'Region' }, text: { field: 'Sales' } } : encoding,
        }),
        { x: 0, y: at * 8, w: 12, h: 8 },
      ),
    );
    const arc = card(
      'arc',
      chart({ mark: { type: 'arc' }, encoding: { theta: { field: 'Sales' }, color: { field: 'Region' } } }),
    );
    const { pages } = await written([arc, ...cards]);
    const text = pages.map((page) => page.text).join('');
    for (const mark of marks) expect(text).toContain(mark);
    expect((await written([])).pages).toHaveLength(1);
  });

  it('writes texts of any script, and names the characters that it cannot show', async () => {
    const hostile = '\u0001\u202e日本語 العربية Ελλάδα 한국어 👨‍👩‍👧 1️⃣ \ud800 <script> \u{10fffd}';
    const { pages, missing } = await written([card(hostile, { kind: 'text', text: hostile })]);
    for (const part of ['日本語', 'Ελλάδα', '한국어', '👨‍👩‍👧', '<script>']) expect(pages[0]!.text).toContain(part);
    expect(missing).toEqual(['\u{10fffd}', '\ufffd'].filter((each) => missing.includes(each)));
    expect(missing).toContain('\u{10fffd}');
  });

  it('leaves out none of thirty cards', async () => {
    const cards = Array.from({ length: 30 }, (_, at) =>
      card(`Card ${at}`, chart({ mark: { type: at % 2 ? 'bar' : 'table' }, encoding }), {
        x: (at % 2) * 12,
        y: Math.floor(at / 2) * 8,
        w: 12,
        h: 8,
      }),
    );
    const { pages } = await written(cards);
    const text = pages.map((page) => page.text).join('');
    for (const { title } of cards) expect(text).toContain(title);
  });
});

describe('cards on sheets of paper', () => {
  const at = (y: number, h: number) => card(`${y}`, { kind: 'divider' }, { x: 0, y, w: 12, h });
  it.each([
    ['fit on one', [at(0, 8), at(8, 6)], [[0, 8]]],
    ['begin a new one rather than being cut', [at(0, 8), at(8, 8), at(8, 2)], [[0], [0, 0]]],
    ['leave out the room between them', [at(0, 4), at(500, 4)], [[0], [0]]],
    ['are made lower if they are higher than a sheet', [at(0, 90), at(90, 2)], [[0], [0]]],
  ])('%s', (_, cards, tops) => {
    const sheets = paginated(cards, 14, 18);
    expect(sheets.map((sheet) => sheet.map(({ top }) => top))).toEqual(tops);
    for (const [index, sheet] of sheets.entries())
      for (const { top, rows } of sheet) expect(top + rows).toBeLessThanOrEqual(index === 0 ? 14 : 18);
  });
});
