import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { DEFAULT_TOKENS } from '../../../../shared/data/charts/theme.ts';
import type { CardContent, DashboardDocument } from '../../../../shared/data/documents/documents.ts';
import { writeDocx } from '../../../../shared/data/documents/docx.ts';
import { nativeChart } from '../../../../shared/data/documents/native-chart.ts';
import { writePptx } from '../../../../shared/data/documents/pptx.ts';
import { zipTexts } from '../../../support/read-files.ts';

type Chart = Extract<CardContent, { kind: 'chart' }>;

const columns = [
  { name: 'Region', role: 'dimension', type: 'string' },
  { name: 'Sales', role: 'measure', type: 'decimal' },
  { name: 'Kind', role: 'dimension', type: 'string' },
] as const;
const rows = [
  ['North <b>', '10.5', 'new'],
  ['South', '20', 'old'],
  ['North <b>', '1', 'new'],
  [null, '3', 'old'],
];
const chart = (look: object): Chart => ({
  kind: 'chart',
  look: look as Chart['look'],
  data: { columns, rows },
  truncated: true,
  asOf: '2026-03-01T09:00:00.000Z',
  timezone: 'UTC',
});
const encoding = { x: { field: 'Region' }, y: { field: 'Sales' }, color: { field: 'Kind' } };
const bar = chart({ mark: { type: 'bar' }, encoding });

const HOSTILE = '=1+1 </a:t></w:t> \u0001\u202e \ud800 日本語 العربية 😀 & "quoted"';
const contents: Record<string, CardContent> = {
  Bars: bar,
  Table: chart({ mark: { type: 'table' } }),
  Heat: chart({
    mark: { type: 'rect' },
    encoding: { x: { field: 'Region' }, y: { field: 'Kind' }, color: { field: 'Sales' } },
  }),
  [HOSTILE]: { kind: 'text', text: HOSTILE },
  Line: { kind: 'divider' },
  Broken: { kind: 'problem', problem: 'The source is down.' },
};
const DASHBOARD: DashboardDocument = {
  title: HOSTILE,
  description: 'Of all regions',
  timezone: 'Europe/Berlin',
  generatedAt: '2026-03-01T10:00:00.000Z',
  asOf: '2026-03-01T09:00:00.000Z',
  filters: ['Region: eu, us', 'Day: last 30 days'],
  theme: DEFAULT_TOKENS,
  pages: [
    {
      name: 'Overview',
      cards: Object.entries(contents).map(([title, content], at) => ({
        title,
        description: '',
        position: { x: 0, y: at * 8, w: 12, h: 8 },
        content,
      })),
    },
  ],
};

const MARKDOWN = `## Notes

**Net** of [returns](https://example.com/a?b=1&c=2), in \`sum(net)\`

- one
  1. two

| Region | Net |
|---|---|
| North | **1** |
`;
const LONG = `${MARKDOWN}\n${Array.from({ length: 90 }, (_, index) => `- Item ${index + 1}`).join('\n')}\n\n${'word '.repeat(2_000)}`;
const withText = (text: string): DashboardDocument => ({
  ...DASHBOARD,
  pages: [
    {
      name: 'Overview',
      cards: [
        { title: 'About', description: '', position: { x: 0, y: 0, w: 12, h: 8 }, content: { kind: 'text', text } },
      ],
    },
  ],
});
const inOrder = (parts: Record<string, string>, names: RegExp): string[] =>
  Object.keys(parts)
    .filter((name) => names.test(name))
    .sort((one, other) => Number.parseInt(/\d+/.exec(one)![0], 10) - Number.parseInt(/\d+/.exec(other)![0], 10))
    .map((name) => parts[name]!);

/** The texts of the elements in well-formed XML. */
function textOf(xml: string): string {
  const parser = new SaxesParser();
  let text = '';
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.write(xml).close();
  return text;
}

async function partsOf(bytes: Buffer): Promise<Record<string, string>> {
  const parts = await zipTexts(bytes);
  for (const [name, xml] of Object.entries(parts)) if (/\.(xml|rels|svg)$/.test(name)) textOf(xml);
  return parts;
}

const EXPECTED = [
  '=1+1 </a:t></w:t>',
  '日本語 العربية 😀 & "quoted"',
  'The source is down.',
  'Europe/Berlin',
  'North <b>',
];

describe('slides', () => {
  it('are one for each card, with native tables and charts', async () => {
    const parts = await partsOf(await writePptx(DASHBOARD));
    const slides = Object.keys(parts).filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name));
    // The title comes first; dividers have no slide.
    expect(slides).toHaveLength(6);
    const texts = slides.map((name) => textOf(parts[name]!)).join('\n');
    for (const part of EXPECTED) expect(texts).toContain(part);
    expect(texts).toContain('Truncated: the first 4 rows');
    const [drawn] = Object.keys(parts).filter((name) => /^ppt\/charts\/chart\d+\.xml$/.test(name));
    expect(textOf(parts[drawn!]!)).toContain('North <b>');
    expect(parts[drawn!]).toContain('<c:v>11.5</c:v>');
    expect(slides.map((name) => parts[name]!).join()).toContain('Bars. Bar chart of 4 rows.');
    expect(Object.keys(parts).some((name) => name.endsWith('.svg'))).toBe(true);
  });
});

describe('texts in Markdown', () => {
  it('are headings, lists, tables and links of slides, on as many slides as they need', async () => {
    const parts = await partsOf(await writePptx(withText(LONG)));
    const [, ...slides] = inOrder(parts, /^ppt\/slides\/slide\d+\.xml$/);
    expect(slides.length).toBeGreaterThan(5);
    const texts = slides.map(textOf);
    expect(texts[1]).toContain(`About (2 of ${slides.length})`);
    const all = texts.join(' ');
    for (let item = 1; item <= 90; item += 1) expect(all).toContain(`Item ${item}`);
    expect(all.split('word')).toHaveLength(2_001);
    expect(all).not.toMatch(/\*\*|\[returns|\|---/);
    expect(slides[0]).toContain('<a:buAutoNum type="arabicPeriod" startAt="1"/>');
    expect(slides[0]).toContain('<a:buChar');
    expect(slides[0]).toContain('<a:tbl>');
    expect(Object.values(parts).join()).toContain('Target="https://example.com/a?b=1&amp;c=2"');
    // The properties of a paragraph come first, and once.
    for (const slide of slides) {
      for (const [, inner] of slide.matchAll(/<a:p>(.*?)<\/a:p>/gs))
        expect(inner!.lastIndexOf('<a:pPr')).toBeLessThanOrEqual(0);
    }
  });

  it('are headings below that of their card in text documents', async () => {
    const parts = await partsOf(await writeDocx(withText(MARKDOWN)));
    const body = parts['word/document.xml']!;
    expect(textOf(body)).not.toMatch(/\*\*|\[returns|\|---/);
    expect(body).toMatch(/Heading3"\/>.*?Notes/);
    for (const part of ['<w:b/>', '<w:hyperlink', 'Courier New', '<w:tbl>']) expect(body).toContain(part);
    expect(parts['word/_rels/document.xml.rels']).toContain('Target="https://example.com/a?b=1&amp;c=2"');
  });
});

describe('a slide', () => {
  it('has its title in the place of titles', async () => {
    const slides = inOrder(await partsOf(await writePptx(DASHBOARD)), /^ppt\/slides\/slide\d+\.xml$/);
    for (const slide of slides) expect(slide.match(/type="title"/g)).toHaveLength(1);
  });
});

describe('a text document', () => {
  it('has headings, tables, and charts with alternative texts', async () => {
    const parts = await partsOf(await writeDocx(DASHBOARD));
    const body = parts['word/document.xml']!;
    const texts = Object.entries(parts)
      .filter(([name]) => /^word\/(document|footer\d+)\.xml$/.test(name))
      .map(([, xml]) => textOf(xml))
      .join('\n');
    for (const part of EXPECTED) expect(texts).toContain(part);
    expect(body).toContain('<w:tblHeader/>');
    expect(body).toContain('w:val="Heading2"');
    expect(body).toContain('Bars. Bar chart of 4 rows.');
  });
});

describe('a native chart', () => {
  it('adds the values of each category and series, in their order', () => {
    expect(nativeChart(bar)).toEqual({
      type: 'bar',
      isHorizontal: false,
      formatCode: 'General',
      isGrouped: false,
      categories: ['North <b>', 'South', '(empty)'],
      series: [
        { name: 'new', values: [11.5, 0, 0] },
        { name: 'old', values: [0, 20, 3] },
      ],
    });
    const sideways = chart({ mark: { type: 'bar' }, encoding: { x: { field: 'Sales' }, y: { field: 'Kind' } } });
    expect(nativeChart(sideways)).toMatchObject({
      isHorizontal: true,
      series: [{ name: 'Sales', values: [11.5, 23] }],
    });
    const donut = chart({
      mark: { type: 'arc', innerRadius: 0.5 },
      encoding: { theta: { field: 'Sales' }, color: { field: 'Kind' } },
    });
    expect(nativeChart(donut)).toMatchObject({ type: 'doughnut', categories: ['new', 'old'] });
  });

  it('has gaps in lines where there is no value, instead of zeros', async () => {
    const line: Chart = {
      ...bar,
      look: {
        mark: { type: 'line' },
        encoding: { x: { field: 'Month' }, y: { field: 'Sales' }, color: { field: 'Kind' } },
      },
      data: {
        columns: [{ name: 'Month', role: 'dimension', type: 'date', grain: 'month' }, ...columns.slice(1)],
        rows: [
          ['2026-01-01', '5', 'new'],
          ['2026-01-01', '1', 'old'],
          ['2026-02-01', null, 'new'],
          ['2026-02-01', '2', 'old'],
          ['2026-04-01', '7', 'new'],
        ],
      },
    } as Chart;
    const native = nativeChart(line);
    expect(native?.categories).toEqual(['Jan 2026', 'Feb 2026', 'Mar 2026', 'Apr 2026']);
    expect(native?.series).toEqual([
      { name: 'new', values: [5, null, null, 7] },
      { name: 'old', values: [1, 2, null, null] },
    ]);
    const card = { title: 'Sales', description: '', position: { x: 0, y: 0, w: 12, h: 8 }, content: line };
    const parts = await partsOf(await writePptx({ ...DASHBOARD, pages: [{ name: 'Overview', cards: [card] }] }));
    const drawn = parts[Object.keys(parts).find((name) => /^ppt\/charts\/chart\d+\.xml$/.test(name))!]!;
    expect(drawn).toContain('<c:dispBlanksAs val="gap"/>');
    expect(drawn).toContain('<c:pt idx="3"><c:v>7</c:v></c:pt>');
    expect(drawn).not.toContain('<c:v></c:v>');
  });

  it.each([
    ['other marks', { mark: { type: 'rect' }, encoding }],
    ['facets', { mark: { type: 'bar' }, encoding: { ...encoding, row: { field: 'Kind' } } }],
    ['layers', { mark: { type: 'bar' }, layer: [{ mark: { type: 'bar' }, encoding }] }],
    [
      'categories that are numbers',
      { mark: { type: 'bar' }, encoding: { x: { field: 'Sales' }, y: { field: 'Sales' } } },
    ],
    ['missing columns', { mark: { type: 'bar' }, encoding: { x: { field: 'Gone' }, y: { field: 'Sales' } } }],
  ])('does not exist for %s', (_, look) => expect(nativeChart(chart(look))).toBeUndefined());
});
