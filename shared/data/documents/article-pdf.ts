import PDFDocument from 'pdfkit';
import { surfaceOf } from '../charts/theme.ts';
import type { ArticleDocument, ArticleParagraph, ArticlePart, ArticleRow, TextSpan } from './article.ts';
import { runsFromRight } from './article.ts';
import { type ArticleLine, articleLines } from './article-lines.ts';
import { withContinuedTables } from './continued-tables.ts';
import { type BeforeCard, timesLine } from './documents.ts';
import { artifact, CARD_GAP, drawCard, NOTE, type Paper, type Section, tableSize } from './pdf-card.ts';
import { PdfText } from './pdf-text.ts';

/** A4, in points. */
const PAGE = { width: 595, height: 842, margin: 48, footer: 24 };
const WIDTH = PAGE.width - 2 * PAGE.margin;
const BOTTOM = PAGE.height - PAGE.margin - PAGE.footer;
const BODY = 9.5;
const CODE = 8;
const CELL = 8.5;
const LEADING = 1.45;
const INDENT = 18;
const HEADINGS = { 1: 15, 2: 12.5, 3: 11, 4: 10 } as const;
/** The height of a row of the grid of dashboards. */
const ROW = 26;
const GRID = 24;
const MAX_CARD = BOTTOM - PAGE.margin;
const CELL_PADDING = 4;

/** A text as PDF, and the characters that no font has: on pages in portrait, which break between lines. */
export async function writeArticlePdf(
  article: ArticleDocument,
  beforeCard: BeforeCard = () => {},
): Promise<{ bytes: Buffer; missing: string[] }> {
  const doc = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    font: '',
    autoFirstPage: false,
    bufferPages: true,
    tagged: true,
    pdfVersion: '1.7',
    lang: 'en',
    displayTitle: true,
    info: { Title: article.title, Subject: article.description, CreationDate: new Date(article.generatedAt) },
  } as PDFKit.PDFDocumentOptions);
  const pieces: Buffer[] = [];
  doc.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise((resolve, reject) => doc.once('end', resolve).once('error', reject));
  const paper: Paper = { doc, text: new PdfText(doc), surface: surfaceOf(article.theme), theme: article.theme };
  const flow = new Flow(paper);
  flow.heading([{ text: article.title }], { tag: 'H1', size: 19 });
  if (article.description !== '') flow.paragraph(plain(article.description), { color: paper.surface.muted });
  for (const part of article.parts) {
    beforeCard();
    await drawPart(flow, part);
  }
  flow.end();
  footers(paper, article);
  doc.end();
  await ended;
  return { bytes: Buffer.concat(pieces), missing: [...paper.text.missing] };
}

const plain = (text: string): ArticleParagraph => ({
  ...{ kind: 'paragraph', spans: [{ text }], depth: 0, mark: '', isAside: false },
});

async function drawPart(flow: Flow, part: ArticlePart): Promise<void> {
  switch (part.kind) {
    case 'heading':
      return flow.heading(part.spans, { tag: `H${part.level + 1}` as Tag, size: HEADINGS[part.level] });
    case 'paragraph':
      return flow.paragraph(part);
    case 'code':
      return flow.code(part.text);
    case 'table':
      return flow.table(part.rows);
    case 'divider':
      return flow.divider();
    case 'card': {
      const card = { ...part.card, position: { x: 0, y: 0, w: GRID, h: part.rows } };
      if (card.content.kind === 'problem' || card.content.kind === 'text') {
        const { kind } = card.content;
        const text = card.content.kind === 'text' ? card.content.text : card.content.problem;
        if (card.title !== '') flow.heading([{ text: card.title }], { tag: 'H5', size: HEADINGS[4] });
        return flow.paragraph(plain(text), kind === 'problem' ? { color: flow.paper.surface.bad } : {});
      }
      const sizeOf = (each: typeof card) => tableSize({ width: WIDTH, height: heightOf(each.position.h) }, each);
      for (const each of withContinuedTables([card], { columns: GRID, sizeOf, theme: flow.paper.theme }))
        await flow.card(each, heightOf(each.position.h));
    }
  }
}

const heightOf = (rows: number): number => Math.min(MAX_CARD, rows * ROW - CARD_GAP);

type Tag = 'H1' | 'H2' | 'H3' | 'H4' | 'H5' | 'P';

interface TextOptions {
  size: number;
  bold?: boolean;
  color?: string;
}

/** Places texts and cards below each other, on as many pages as they need. */
class Flow {
  readonly paper: Paper;
  readonly #root: Section;
  #section: Section | undefined;
  #y = 0;
  /** Whether an item of a list was the last text. */
  #isAfterItem = false;

  constructor(paper: Paper) {
    this.paper = paper;
    this.#root = paper.doc.struct('Document');
    paper.doc.addStructure(this.#root);
    this.#newPage();
  }

  end(): void {
    this.#section?.end();
    this.#root.end();
  }

  heading(spans: readonly TextSpan[], { tag, size }: { tag: Tag; size: number }): void {
    const options = { size, bold: true };
    const lines = this.#lines(spans, WIDTH, options);
    this.#space(size * 0.8);
    // A heading is not alone at the end of a page.
    this.#fit(Math.min(lines.length * size * LEADING, MAX_CARD / 2) + 3 * BODY * LEADING);
    this.#draw(tag, lines, { x: PAGE.margin, width: WIDTH, ...options });
    this.#y += size * 0.25;
  }

  paragraph({ spans, depth, mark, isAside }: ArticleParagraph, { color }: { color?: string } = {}): void {
    const options = { size: BODY, ...(color !== undefined && { color }) };
    const left = depth * INDENT + (isAside ? INDENT : 0);
    const [x, width] = [PAGE.margin + left, Math.max(WIDTH / 3, WIDTH - left)];
    const lines = this.#lines(spans, width, options);
    if (spans.length === 0 && mark === '') return;
    if (depth === 0 && this.#isAfterItem) this.#space(BODY * 0.5);
    this.#fit(BODY * LEADING);
    if (mark !== '') {
      const style = { size: BODY, color: color ?? this.paper.surface.text };
      const { text, doc } = this.paper;
      const y = this.#y + BODY;
      const at = x - text.width(mark, style) - BODY * 0.4;
      this.#section!.add(doc.struct('Lbl', {}, () => text.line(mark, at, y, style)));
    }
    this.#draw('P', lines, { x, width, ...options, ...(isAside && { bar: PAGE.margin + depth * INDENT + 3 }) });
    this.#y += depth > 0 ? BODY * 0.15 : BODY * 0.6;
    this.#isAfterItem = depth > 0;
  }

  code(text: string): void {
    const options = { size: CODE };
    const lines = text.split(/\r\n|\r|\n/).flatMap((line) => {
      const indent = /^[ \t]*/.exec(line)![0].replaceAll('\t', '    ');
      // The width of a space of a font whose letters are all as wide.
      const left = Math.min(indent.length * CODE * 0.55, WIDTH / 2);
      const found = this.#lines([{ text: line.trimStart() }], WIDTH - 2 * CELL_PADDING - left, options);
      return found.map((spans) => ({ spans, left }));
    });
    this.#y += CELL_PADDING;
    for (const { spans, left } of lines) {
      this.#fit(CODE * LEADING);
      this.#shade(CODE * LEADING);
      this.#draw('P', [spans], { x: PAGE.margin + CELL_PADDING + left, width: WIDTH, ...options });
    }
    this.#y += BODY * 0.6 + CELL_PADDING;
  }

  table(rows: readonly ArticleRow[]): void {
    this.#space(BODY * 0.4);
    const columns = Math.max(1, ...rows.map(({ cells }) => cells.length));
    const widths = this.#columnWidths(rows, columns);
    for (const { cells, isHeader } of rows) {
      const options = { size: CELL, bold: isHeader };
      const texts = cells.map((spans, index) => this.#lines(spans, widths[index]! - 2 * CELL_PADDING, options));
      let count = Math.max(1, ...texts.map((lines) => lines.length));
      let from = 0;
      // A row that is higher than the page goes on at the next one.
      while (count > 0) {
        this.#fit(CELL * LEADING + CELL_PADDING * 2);
        const room = Math.max(1, Math.floor((BOTTOM - this.#y - CELL_PADDING * 2) / (CELL * LEADING)));
        const isSplit = count > room && count * CELL * LEADING + CELL_PADDING * 2 <= MAX_CARD && from === 0;
        if (isSplit && this.#y > PAGE.margin) {
          this.#newPage();
          continue;
        }
        const shown = Math.min(count, room);
        this.#row(
          texts.map((lines) => lines.slice(from, from + shown)),
          widths,
          { ...options, shown, isHeader },
        );
        from += shown;
        count -= shown;
      }
    }
    this.#y += BODY * 0.8;
  }

  divider(): void {
    this.#fit(BODY * 2);
    const { doc, surface } = this.paper;
    const y = this.#y + BODY * 0.6;
    artifact(doc, () => {
      doc
        .moveTo(PAGE.margin, y)
        .lineTo(PAGE.margin + WIDTH, y)
        .lineWidth(0.75)
        .strokeColor(surface.line, 1)
        .stroke();
    });
    this.#y += BODY * 1.6;
  }

  async card(card: Parameters<typeof drawCard>[2], height: number): Promise<void> {
    this.#fit(height);
    await drawCard(this.paper, this.#section!, card, { x: PAGE.margin, y: this.#y, width: WIDTH, height });
    this.#y += height + BODY;
  }

  #row(
    texts: readonly (readonly ArticleLine[])[],
    widths: readonly number[],
    { shown, isHeader, ...options }: TextOptions & { shown: number; isHeader: boolean },
  ): void {
    const { doc, surface } = this.paper;
    const height = shown * CELL * LEADING + CELL_PADDING * 2;
    const top = this.#y;
    if (isHeader) this.#shade(height);
    let x = PAGE.margin;
    for (const [index, lines] of texts.entries()) {
      this.#y = top + CELL_PADDING - CELL * 0.1;
      this.#draw(isHeader ? 'TH' : 'TD', lines, {
        ...{ x: x + CELL_PADDING, width: widths[index]! - 2 * CELL_PADDING },
        ...options,
      });
      x += widths[index]!;
    }
    this.#y = top + height;
    artifact(doc, () => {
      doc.moveTo(PAGE.margin, this.#y).lineTo(PAGE.margin + WIDTH, this.#y);
      doc.lineWidth(0.5).strokeColor(surface.line, 1).stroke();
    });
  }

  /** Columns are as wide as their texts, as far as all have room. */
  #columnWidths(rows: readonly ArticleRow[], columns: number): number[] {
    const wanted = Array.from({ length: columns }, (_, index) => {
      const texts = rows.map(({ cells, isHeader }) =>
        this.#widthOf(cells[index] ?? [], { size: CELL, bold: isHeader }),
      );
      return Math.min(WIDTH, Math.max(24, ...texts) + 2 * CELL_PADDING + 1);
    });
    // Short columns keep their width; the others share what is left.
    const even = WIDTH / columns;
    const short = wanted.filter((each) => each <= even);
    const left = WIDTH - short.reduce((sum, each) => sum + each, 0);
    const long = wanted.filter((each) => each > even).reduce((sum, each) => sum + each, 0);
    if (long === 0) return wanted.map((each) => (each * WIDTH) / (WIDTH - left));
    return wanted.map((each) => (each <= even ? each : Math.max(even / 2, (each * left) / long)));
  }

  #widthOf(spans: readonly TextSpan[], options: TextOptions): number {
    return Math.max(
      0,
      ...this.#lines(spans, Number.POSITIVE_INFINITY, options).map((line) =>
        line.reduce((sum, span) => sum + this.paper.text.width(span.text, styleOf(span, options)), 0),
      ),
    );
  }

  #lines(spans: readonly TextSpan[], width: number, options: TextOptions): ArticleLine[] {
    return articleLines(spans, width, (text, span) => this.paper.text.width(text, styleOf(span, options)));
  }

  /** Draws lines one below the other, and goes on at the next page where there is no more room. */
  #draw(
    tag: Tag | 'TH' | 'TD',
    lines: readonly ArticleLine[],
    { x, width, bar, ...options }: TextOptions & { x: number; width: number; bar?: number },
  ): void {
    const height = options.size * LEADING;
    const isReversed = lines.length > 0 && runsFromRight(lines.flat());
    let left = [...lines];
    while (left.length > 0) {
      this.#fit(height);
      const room = Math.max(1, Math.floor((BOTTOM - this.#y + 0.01) / height));
      const [shown, rest] = [left.slice(0, room), left.slice(room)];
      if (bar !== undefined) this.#bar(bar, shown.length * height);
      const top = this.#y;
      this.#section!.add(
        this.paper.doc.struct(tag, {}, () => {
          for (const [index, line] of shown.entries()) {
            const y = top + options.size * 1.1 + index * height;
            const wide = line.reduce((sum, span) => sum + this.paper.text.width(span.text, styleOf(span, options)), 0);
            this.#line(isReversed ? [...line].reverse() : line, isReversed ? x + width - wide : x, y, options);
          }
        }),
      );
      this.#y += shown.length * height;
      left = rest;
    }
  }

  #line(line: ArticleLine, from: number, y: number, options: TextOptions): void {
    const { doc, text, surface, theme } = this.paper;
    let x = from;
    for (const span of line) {
      const style = styleOf(span, options);
      const color = options.color ?? (span.href === undefined ? surface.text : linkColor(theme));
      text.line(span.text, x, y, { ...style, color });
      const width = text.width(span.text, style);
      if (span.strike) rule(doc, { x, y: y - options.size * 0.3, width, color });
      if (span.href !== undefined) {
        rule(doc, { x, y: y + options.size * 0.15, width, color });
        doc.link(x, y - options.size, width, options.size * 1.3, span.href);
      }
      x += width;
    }
  }

  #bar(x: number, height: number): void {
    const { doc, surface } = this.paper;
    artifact(doc, () => {
      doc.rect(x, this.#y, 2, height).fillColor(surface.line, 1).fill();
    });
  }

  #shade(height: number): void {
    const { doc, surface } = this.paper;
    artifact(doc, () => {
      doc.rect(PAGE.margin, this.#y, WIDTH, height).fillColor(surface.raised, 1).fill();
    });
  }

  /** Begins a new page if the height does not fit on this one. */
  #fit(height: number): void {
    if (this.#y > PAGE.margin && this.#y + height > BOTTOM) this.#newPage();
  }

  /** Space above, unless the page begins here. */
  #space(height: number): void {
    if (this.#y > PAGE.margin) this.#y += height;
  }

  #newPage(): void {
    const { doc, surface } = this.paper;
    this.#section?.end();
    doc.addPage();
    artifact(doc, () => {
      doc.rect(0, 0, PAGE.width, PAGE.height).fillColor(surface.background, 1).fill();
    });
    this.#section = doc.struct('Sect');
    this.#root.add(this.#section);
    this.#y = PAGE.margin;
  }
}

const styleOf = ({ bold = false, italic = false }: TextSpan, { size, bold: isBold = false }: TextOptions) => ({
  size,
  bold: bold || isBold,
  italic,
});

const linkColor = ({ dark }: Paper['theme']): string => (dark ? '#8ab4f8' : '#0b57d0');

function rule(
  doc: PDFKit.PDFDocument,
  { x, y, width, color }: { x: number; y: number; width: number; color: string },
): void {
  doc
    .moveTo(x, y)
    .lineTo(x + width, y)
    .lineWidth(0.5)
    .strokeColor(color, 1)
    .stroke();
}

function footers({ doc, text, surface }: Paper, article: ArticleDocument): void {
  const { start, count } = doc.bufferedPageRange();
  const style = { ...NOTE, color: surface.muted };
  const y = PAGE.height - PAGE.margin + 4;
  for (let index = 0; index < count; index += 1) {
    doc.switchToPage(start + index);
    const right = `${timesLine(article)} · ${index + 1} / ${count}`;
    const width = text.width(right, style);
    artifact(doc, () => {
      text.line(text.fitted(article.title, WIDTH - width - 20, style), PAGE.margin, y, style);
      text.line(right, PAGE.width - PAGE.margin - width, y, style);
    });
  }
}
