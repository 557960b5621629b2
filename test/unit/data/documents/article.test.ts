import { describe, expect, it } from 'vitest';
import { DEFAULT_TOKENS } from '../../../../shared/data/charts/theme.ts';
import type { ArticleDocument, ArticlePart } from '../../../../shared/data/documents/article.ts';
import { writeArticleDocx } from '../../../../shared/data/documents/article-docx.ts';
import { articleLines } from '../../../../shared/data/documents/article-lines.ts';
import { writeArticlePdf } from '../../../../shared/data/documents/article-pdf.ts';
import type { TextSpan } from '../../../../shared/platform/text/markdown/text-parts.ts';
import { pdfPages, zipTexts } from '../../../support/read-files.ts';

const WIDE = 'Donaudampfschifffahrtsgesellschaft'.repeat(12);

const paragraph = (text: string, more: Partial<Extract<ArticlePart, { kind: 'paragraph' }>> = {}): ArticlePart => ({
  ...{ kind: 'paragraph', spans: [{ text }], depth: 0, mark: '', isAside: false },
  ...more,
});
const article = (...parts: ArticlePart[]): ArticleDocument => ({
  ...{ title: 'Weekly', description: 'In short', timezone: 'UTC', generatedAt: '2026-02-02T08:00:00.000Z', asOf: null },
  ...{ theme: DEFAULT_TOKENS, parts },
});

/** Everything that long texts, tables, lists and code can do to a page. */
const UGLY = article(
  { kind: 'heading', level: 1, spans: [{ text: 'A heading of many words '.repeat(12) }] },
  paragraph(WIDE),
  ...Array.from({ length: 60 }, (_, index) => paragraph(`Item ${index + 1}`, { depth: 1, mark: '•' })),
  paragraph('Deep', { depth: 3, mark: '100.' }),
  paragraph('Quoted', {
    isAside: true,
    spans: [
      { text: 'slanted ', italic: true },
      { text: 'gone', strike: true },
    ],
  }),
  {
    kind: 'table',
    rows: [
      { isHeader: true, cells: [[{ text: 'Region' }], [{ text: 'Comment' }]] },
      { isHeader: false, cells: [[{ text: 'North' }], [{ text: 'line '.repeat(3_000) }]] },
      { isHeader: false, cells: [[{ text: WIDE }], []] },
    ],
  },
  { kind: 'code', text: 'SELECT 1\n    FROM orders' },
  { kind: 'divider' },
  paragraph('', { spans: [{ text: 'see ' }, { text: 'there', href: 'https://example.com/there' }] }),
  paragraph('مرحبا بالعالم'),
  {
    kind: 'card',
    rows: 200,
    card: { title: 'Lost', description: '', content: { kind: 'problem', problem: 'Is gone.' } },
  },
);

describe('articleLines', () => {
  const measure = (text: string) => [...text].length;
  const linesOf = (width: number, ...spans: TextSpan[]) =>
    articleLines(spans, width, measure).map((line) => line.map(({ text }) => text).join(''));

  it('end between words, where an author breaks them, and within words that are too wide', () => {
    expect(linesOf(9, { text: 'one two three' })).toEqual(['one two', 'three']);
    expect(linesOf(20, { text: 'one\n\ntwo' })).toEqual(['one', '', 'two']);
    expect(linesOf(4, { text: 'a abcdefghij k' })).toEqual(['a', 'abcd', 'efgh', 'ij k']);
  });

  it('never divide a word that is in two looks, nor what is one character to readers', () => {
    expect(linesOf(7, { text: 'to ' }, { text: 'bo', bold: true }, { text: 'ld.' })).toEqual(['to', 'bold.']);
    expect(linesOf(1, { text: 'e\u0301e\u0301' })).toEqual(['e\u0301', 'e\u0301']);
  });
});

describe('an article', () => {
  it('as PDF loses no text, has links and headings, and goes on at further pages', async () => {
    const { bytes } = await writeArticlePdf(UGLY);
    const { pages, title, language } = await pdfPages(bytes);
    const words = pages.map(({ text }) => text.replaceAll(/\s/g, '')).join('');
    expect([title, language]).toEqual(['Weekly', 'en']);
    expect(pages.length).toBeGreaterThan(4);
    expect(words.split('line')).toHaveLength(3_001);
    for (const text of [WIDE, 'Item60', '100.', 'slanted', 'SELECT1', 'seethere', 'Lost', 'Isgone.'])
      expect(words).toContain(text);
    const roles = pages.flatMap((page) => page.roles.map(({ role }) => role));
    for (const role of ['H1', 'H2', 'P', 'Lbl', 'TH', 'TD']) expect(roles).toContain(role);
    expect(bytes.toString('latin1')).toContain('https://example.com/there');
  });

  it('as DOCX has headings, lists, tables, links and code as such', async () => {
    const entries = await zipTexts(await writeArticleDocx(UGLY));
    const body = entries['word/document.xml']!;
    for (const part of [
      'Heading1',
      '<w:tbl>',
      '<w:i/>',
      '<w:strike/>',
      '<w:bidi/>',
      '    FROM orders',
      'Is gone.',
      WIDE,
    ])
      expect(body).toContain(part);
    expect(entries['word/_rels/document.xml.rels']).toContain('https://example.com/there');
  });
});
