import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { blockOf } from '../../../../functions/delivery/kinds/schedules/card-blocks.ts';
import { slackBody } from '../../../../functions/delivery/workers/send-to-targets/slack-body.ts';
import { teamsBody } from '../../../../functions/delivery/workers/send-to-targets/teams-body.ts';
import type { ChartColumn } from '../../../../shared/data/charts/chart-columns.ts';
import type { ChartLook } from '../../../../shared/data/charts/chart-look.ts';
import { drawChart } from '../../../../shared/data/charts/draw.ts';
import { DEFAULT_TOKENS } from '../../../../shared/data/charts/theme.ts';
import { cardPicture } from '../../../../shared/data/documents/card-picture.ts';
import type { DashboardDocument } from '../../../../shared/data/documents/documents.ts';
import { writeDocx } from '../../../../shared/data/documents/docx.ts';
import { writePdf } from '../../../../shared/data/documents/pdf.ts';
import { writePptx } from '../../../../shared/data/documents/pptx.ts';
import { writeXlsx } from '../../../../shared/data/documents/xlsx.ts';
import { csvLine } from '../../../../shared/data/duckdb/csv-text.ts';
import { composed } from '../../../../shared/platform/mail/compose.ts';
import { pdfPages, zipTexts } from '../../../support/read-files.ts';

/** One list of values, for every place that shows numbers. */
interface Shown {
  name: string;
  column: Omit<ChartColumn, 'name' | 'role'>;
  value: unknown;
  text: string;
  /**
   * The code of its format in a workbook; undefined where a number of few digits has none, null where the cell is a
   * text.
   */
  code?: string | null;
}

const EUR = { kind: 'currency', currency: 'EUR' } as const;
const VALUES: Shown[] = [
  { name: 'eight digits', column: { type: 'integer' }, value: 12345678, text: '12,345,678' },
  { name: 'seven digits', column: { type: 'integer' }, value: -1234567, text: '−1,234,567' },
  { name: 'cents', column: { type: 'decimal' }, value: '12345678.91', text: '12,345,678.91', code: '0.00' },
  { name: 'a double', column: { type: 'number' }, value: 1139.25, text: '1,139.25' },
  { name: 'noise', column: { type: 'number' }, value: 0.1 + 0.2, text: '0.3', code: '0.0' },
  { name: 'tiny', column: { type: 'number' }, value: 1.5e-10, text: '1.5e−10' },
  { name: 'huge', column: { type: 'number' }, value: 1e21, text: '1e+21' },
  {
    name: 'many digits',
    column: { type: 'integer' },
    value: '123456789012345678901',
    text: '123,456,789,012,345,678,901',
    code: null,
  },
  { name: 'euros', column: { type: 'decimal', format: EUR }, value: '1250.5', text: '€1,250.50', code: '[$€]#,##0.00' },
  {
    name: 'whole francs',
    column: { type: 'decimal', format: { kind: 'currency', currency: 'CHF', decimals: 0 } },
    value: '-1250.4',
    text: '−CHF\u00a01,250',
    code: '[$CHF]\\ #,##0',
  },
  {
    name: 'percent',
    column: { type: 'number', format: { kind: 'percent', decimals: 1 } },
    value: 0.1234,
    text: '12.3%',
    code: '#,##0.0%',
  },
  {
    name: 'decimals',
    column: { type: 'decimal', format: { kind: 'number', decimals: 3 } },
    value: '2.5',
    text: '2.500',
    code: '#,##0.000',
  },
  {
    name: 'a pattern',
    column: { type: 'decimal', format: '#,##0.0 "kg"' },
    value: '1139',
    text: '1,139.0 kg',
    code: '#,##0.0 \\k\\g',
  },
];
const numbers: ChartColumn[] = VALUES.map(({ name, column }) => ({ ...column, name, role: 'measure' }));
const columns: ChartColumn[] = [
  { name: 'Region', role: 'dimension', type: 'string' },
  { name: 'Day', role: 'dimension', type: 'date' },
  ...numbers,
];
const rows = [
  ['A region with a name that is longer than its column', '2025-03-01', ...VALUES.map(({ value }) => value)],
];
const data = { columns, rows };
const only = (at: number) => ({ columns: [columns[0]!, numbers[at]!], rows: [[rows[0]![0], VALUES[at]!.value]] });
const WIDE = { width: 4000, height: 200 };
const theme = DEFAULT_TOKENS;

const unescaped = (xml: string): string =>
  xml
    .replaceAll(/&quot;/g, '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => unescaped(text!));
const labelsOf = (svg: string): string[] =>
  [...svg.matchAll(/aria-label="([^"]*)"/g)].map(([, text]) => unescaped(text!));

const document = (cards: { title: string; look: ChartLook; shown: typeof data }[]): DashboardDocument => ({
  title: 'Numbers',
  description: '',
  timezone: 'UTC',
  generatedAt: '2026-03-01T10:00:00.000Z',
  asOf: '2026-03-01T09:00:00.000Z',
  filters: [],
  theme,
  pages: [
    {
      name: '',
      cards: cards.map(({ title, look, shown }, at) => ({
        title,
        description: '',
        position: { x: 0, y: at * 8, w: 8, h: 8 },
        content: {
          kind: 'chart',
          look,
          data: shown,
          truncated: false,
          asOf: '2026-03-01T09:00:00.000Z',
          timezone: 'UTC',
        },
      })),
    },
  ],
});
const TABLE: ChartLook = { mark: { type: 'table' } };

describe('every place shows the same numbers', () => {
  const MARKS: Record<string, (field: string) => ChartLook> = {
    'a bar': (field) => ({ mark: { type: 'bar' }, encoding: { x: { field: 'Region' }, y: { field } } }),
    'a point': (field) => ({ mark: { type: 'point' }, encoding: { x: { field: 'Region' }, y: { field } } }),
    'a line': (field) => ({
      mark: { type: 'line', point: true },
      encoding: { x: { field: 'Region' }, y: { field }, tooltip: [{ field }] },
    }),
    'a cell': (field) => ({ mark: { type: 'rect' }, encoding: { x: { field: 'Region' }, color: { field } } }),
  };
  it.each(Object.entries(MARKS))('names of marks: %s', async (_, look) => {
    for (const [at, { name, text }] of VALUES.entries()) {
      const svg = await drawChart(look(name), only(at), { width: 400, height: 200 });
      expect(labelsOf(svg).join('\n')).toContain(`${name}: ${text}`);
    }
  });

  it('labels of bars, cells and texts', async () => {
    for (const [at, { name, text }] of VALUES.entries()) {
      const bar: ChartLook = { ...MARKS['a bar']!(name), config: { showLabels: true } };
      const cell: ChartLook = { ...MARKS['a cell']!(name), config: { showLabels: true } };
      const mark: ChartLook = { mark: { type: 'text' }, encoding: { x: { field: 'Region' }, text: { field: name } } };
      for (const look of [bar, cell, mark])
        expect(textsOf(await drawChart(look, only(at), { width: 400, height: 200 }))).toContain(text);
    }
  });

  it('numbers with a history, however narrow', async () => {
    for (const [at, { name, text }] of VALUES.entries())
      for (const width of [40, 400]) {
        const look: ChartLook = { mark: { type: 'kpi' }, encoding: { text: { field: name } } };
        const svg = await drawChart(look, only(at), { width, height: 100 });
        expect(textsOf(svg)).toContain(text);
        expect(labelsOf(svg)[0]).toContain(`${name}: ${text}`);
      }
  });

  it('tables and pivot tables', async () => {
    const table = textsOf(await drawChart(TABLE, data, WIDE));
    for (const { text } of VALUES) expect(table).toContain(text);
    expect(table).toContain('2025-03-01');
    for (const [at, { name, text }] of VALUES.entries()) {
      const pivot: ChartLook = {
        mark: { type: 'pivot' },
        encoding: { row: { field: 'Region' }, column: { field: 'Region' }, text: { field: name } },
      };
      expect(textsOf(await drawChart(pivot, only(at), WIDE))).toContain(text);
    }
  });

  it('axes and legends, in the format of the measure, with short round numbers', async () => {
    const money = {
      columns: [columns[0]!, { ...numbers[0]!, format: EUR }],
      rows: [
        ['North', 12_000_000],
        ['South', 0],
      ],
    };
    const looks: ChartLook[] = [
      MARKS['a bar']!('eight digits'),
      MARKS['a cell']!('eight digits'),
      { mark: { type: 'boxplot' }, encoding: { y: { field: 'eight digits' } } },
    ];
    for (const look of looks)
      expect(textsOf(await drawChart(look, money, { width: 400, height: 200 }))).toContain('€10M');
    const chosen: ChartLook = {
      mark: { type: 'bar' },
      encoding: { x: { field: 'Region' }, y: { field: 'eight digits', format: '.2s' } },
    };
    expect(textsOf(await drawChart(chosen, money, { width: 400, height: 200 }))).toContain('10M');
    const cents = {
      ...money,
      rows: [
        ['North', '12345678.91'],
        ['South', '0.5'],
      ],
    };
    const heat = labelsOf(await drawChart(MARKS['a cell']!('eight digits'), cents, { width: 400, height: 200 }));
    expect(heat).toContain('Legend of eight digits, from €0.50 to €12,345,678.91');
  });

  it('alternative texts', async () => {
    const content = document([{ title: 'All', look: TABLE, shown: data }]).pages[0]!.cards[0]!.content;
    if (content.kind !== 'chart') throw new Error('The card has no chart.');
    const { alternative } = await cardPicture({ title: 'All', description: '', content }, { ...WIDE, theme });
    for (const { name, text } of VALUES) expect(alternative).toContain(`${name}: ${text}`);
  });

  it('mails and messages to Slack and Teams', () => {
    const blocks = VALUES.map((_, at) => blockOf({ title: 'All', look: TABLE, ...only(at) }));
    const mail = composed({ subject: 'All', paragraphs: [], blocks });
    const content = {
      id: 'run',
      workspaceId: 'workspace',
      kind: { name: 'dashboard', part: 'card' },
      schedule: { id: 's', name: 'Daily' },
      object: { id: 'o', name: 'Numbers', page: null },
      url: null,
      workspaceName: 'Sales',
      scheduledFor: null,
      startedAt: '',
      asOf: '',
      cards: VALUES.map((shown, at) => {
        const kpi: ChartLook = { mark: { type: 'kpi' }, encoding: { text: { field: shown.name } } };
        const block = blockOf({ title: shown.name, look: kpi, ...only(at) });
        return { title: shown.name, lines: 'value' in block ? [block.value] : [] };
      }),
      leftOutCount: 0,
      failedCardCount: 0,
      file: null,
      fileError: null,
      filters: [],
    } as const;
    const said = [slackBody(content as never), teamsBody(content as never)].map((body) =>
      JSON.stringify(body).replaceAll('\u200b', '').replaceAll('\\u200b', ''),
    );
    for (const { name, text } of VALUES) {
      expect(mail.text).toContain(`${name}: ${text}`);
      expect(mail.html).toContain(`>${text}<`);
      for (const body of said) expect(body.replaceAll('\u00a0', ' ')).toContain(text.replaceAll('\u00a0', ' '));
    }
  });

  it('PDF, slides and text documents, whose tables continue where they are too narrow', async () => {
    const narrow = document([{ title: 'All', look: TABLE, shown: data }]);
    const { bytes } = await writePdf(narrow);
    const pdf = (await pdfPages(bytes)).pages.map(({ text }) => text).join('\n');
    const [slides, words] = await Promise.all([writePptx(narrow), writeDocx(narrow)]);
    const xmlOf = async (file: Buffer) => unescaped(Object.values(await zipTexts(file)).join('\n'));
    const [pptx, docx] = [await xmlOf(slides), await xmlOf(words)];
    const plain = (text: string) => text.replaceAll('\u00a0', ' ');
    const all = [...VALUES.map(({ text }) => text), '2025-03-01'];
    expect(all.filter((text) => !plain(pdf).includes(plain(text)))).toEqual([]);
    expect(all.filter((text) => !pptx.includes(`<a:t>${text}</a:t>`))).toEqual([]);
    expect(all.filter((text) => !docx.includes(`>${text}</w:t>`))).toEqual([]);
    expect(pdf).toContain('All (continued)');
  });

  it('workbooks, with their numbers in formats', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'numbers-'));
    try {
      const path = join(folder, 'book.xlsx');
      const cells = VALUES.map(({ value }) => String(value));
      const csv = async () =>
        Readable.from([Buffer.from([VALUES.map(({ name }) => name), cells].map(csvLine).join(''))]);
      const sheet = { title: 'All', columns: numbers, csv, truncated: false, timezone: 'UTC' };
      const about = {
        title: 'All',
        description: '',
        timezone: 'UTC',
        generatedAt: '2026-03-01T10:00:00.000Z',
        truncationNote: '',
        filters: [],
      };
      await writeXlsx(path, [sheet], about);
      const parts = await zipTexts(await readFile(path));
      const styles = unescaped(parts['xl/styles.xml']!);
      const codes = new Map(
        [...styles.matchAll(/numFmtId="(\d+)" formatCode="([^>]*)"\/>/g)].map(([, id, code]) => [id, code]),
      );
      const formats = [...styles.split('<cellXfs')[1]!.matchAll(/<xf numFmtId="(\d+)"/g)].map(([, id]) =>
        codes.get(id),
      );
      const row = parts['xl/worksheets/sheet1.xml']!.split('<row>')[2]!;
      const written = [...row.matchAll(/<c(?: s="(\d+)")?(?: t="inlineStr")?>/g)];
      expect(written).toHaveLength(VALUES.length);
      for (const [at, { name, code }] of VALUES.entries()) {
        const [cell, style] = written[at]!;
        if (code === null) expect(cell).toContain('inlineStr');
        else expect([name, style === undefined ? undefined : formats[Number(style)]]).toEqual([name, code]);
      }
      const widths = [...parts['xl/worksheets/sheet1.xml']!.matchAll(/ width="(\d+)"/g)].map(([, width]) =>
        Number(width),
      );
      for (const [at, { text }] of VALUES.entries()) expect(widths[at]).toBeGreaterThan(text.length);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('a table in a picture', () => {
  it('cuts no number and no date, at any width and in any font', async () => {
    for (const fonts of ['sans', 'mono'] as const)
      for (const width of [60, 120, 200, 340, 640, 1200]) {
        const look = { ...theme, fonts: { body: fonts, heading: fonts } };
        const [, ...texts] = textsOf(await drawChart(TABLE, data, { width, height: 100, theme: look }));
        const shown = new Set([...VALUES.map(({ text }) => text), '2025-03-01', ...columns.map(({ name }) => name)]);
        for (const text of texts) if (text.endsWith('…')) expect(/^[A-Za-z ]*…$/.test(text)).toBe(true);
        for (const text of texts.filter((each) => /\d/.test(each) && !/more/.test(each))) expect(shown).toContain(text);
      }
  });

  it('has whole dates above the columns of a pivot table', async () => {
    const days = Array.from({ length: 12 }, (_, at) => `2025-${String(at + 1).padStart(2, '0')}-01`);
    const pivot: ChartLook = {
      mark: { type: 'pivot' },
      encoding: { row: { field: 'Region' }, column: { field: 'Day' }, text: { field: 'euros' } },
    };
    const euros = VALUES.findIndex(({ name }) => name === 'euros');
    const sold = {
      columns: [...columns.slice(0, 2), numbers[euros]!],
      rows: days.map((day) => ['North', day, '1250.5']),
    };
    for (const width of [200, 400, 800]) {
      const texts = textsOf(await drawChart(pivot, sold, { width, height: 100 }));
      expect(texts.filter((text) => text.startsWith('2025') && !days.includes(text))).toEqual([]);
      expect(texts).toContain('2025-01-01');
    }
  });
});
