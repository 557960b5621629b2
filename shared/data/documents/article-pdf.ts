import PDFDocument from 'pdfkit';
import { plainParagraph, type TextPart } from '../../platform/text/markdown/text-parts.ts';
import { surfaceOf } from '../charts/theme.ts';
import type { ArticleDocument, ArticlePart } from './article.ts';
import { cardText } from './card-text.ts';
import { maxTableRows, withContinuedTables } from './continued-tables.ts';
import { type BeforeCard, type DocumentCard, timesLine } from './documents.ts';
import { type BlockSizes, drawBlocks, splitBlocks, textBlocks } from './pdf-blocks.ts';
import { CARD_GAP, drawCard, NOTE } from './pdf-card.ts';
import { artifact, type Paper, type Section } from './pdf-paper.ts';
import { PdfText } from './pdf-text.ts';

/** A4, in points. */
const PAGE = { width: 595, height: 842, margin: 48, footer: 24 };
const WIDTH = PAGE.width - 2 * PAGE.margin;
const BOTTOM = PAGE.height - PAGE.margin - PAGE.footer;
const BODY = 9.5;
const TITLE = 19;
const SIZES: BlockSizes = {
  ...{ body: BODY, code: 8, cell: 8.5, firstHeading: 2 },
  headings: { 1: 15, 2: 12.5, 3: 11, 4: 10 },
};
/** Of the title of a card without a picture. */
const CARD_TITLE: BlockSizes = { ...SIZES, firstHeading: 5, headings: { ...SIZES.headings, 1: SIZES.headings[4] } };
/** Of the text of a card, whose headings are below its title. */
const CARD_TEXT: BlockSizes = { ...SIZES, firstHeading: 6, headings: { 1: 10, 2: 9.5, 3: 9.5, 4: 9.5 } };
/** The height of a row of the grid of dashboards. */
const ROW = 26;
const GRID = 24;
const MAX_CARD = BOTTOM - PAGE.margin;

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
  const contents = article.parts.flatMap((part) => (part.kind === 'card' ? [part.card.content] : []));
  const flow = new Flow(paper, maxTableRows(contents));
  flow.text([{ kind: 'heading', level: 1, spans: [{ text: article.title }] }], {
    ...{ ...SIZES, firstHeading: 1, headings: { ...SIZES.headings, 1: TITLE } },
  });
  if (article.description !== '')
    flow.text([plainParagraph(article.description)], { ...SIZES, color: paper.surface.muted });
  for (const part of textsTogether(article.parts)) {
    beforeCard();
    if (Array.isArray(part)) flow.text(part, SIZES);
    else await drawCardPart(flow, part);
  }
  flow.end();
  footers(paper, article);
  doc.end();
  await ended;
  return { bytes: Buffer.concat(pieces), missing: [...paper.text.missing] };
}

type CardPart = Extract<ArticlePart, { kind: 'card' }>;

/** The parts of the text between the cards, so that lists and tables stay together. */
function textsTogether(parts: readonly ArticlePart[]): (TextPart[] | CardPart)[] {
  const found: (TextPart[] | CardPart)[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (part.kind === 'card') found.push(part);
    else if (Array.isArray(last)) last.push(part);
    else found.push([part]);
  }
  return found;
}

async function drawCardPart(flow: Flow, part: CardPart): Promise<void> {
  const card = { ...part.card, position: { x: 0, y: 0, w: GRID, h: part.rows } };
  const text = cardText(card.content);
  if (text) {
    if (card.title !== '') flow.text([{ kind: 'heading', level: 1, spans: [{ text: card.title }] }], CARD_TITLE);
    const color = card.content.kind === 'problem' ? flow.paper.surface.bad : undefined;
    return flow.text(text, { ...CARD_TEXT, ...(color && { color }) });
  }
  const grid = {
    columns: GRID,
    sizeOf: (each: DocumentCard) => ({ width: WIDTH, height: heightOf(each.position.h) }),
    rowsOf: (height: number) => Math.ceil((height + CARD_GAP) / ROW),
    maxRows: MAX_ROWS,
    maxTableRows: flow.maxTableRows,
    theme: flow.paper.theme,
  };
  for (const each of withContinuedTables([card], grid)) await flow.card(each, heightOf(each.position.h));
}

/** The rows of a card as high as a page. */
const MAX_ROWS = Math.floor((MAX_CARD + CARD_GAP) / ROW);
const heightOf = (rows: number): number => Math.min(MAX_CARD, rows * ROW - CARD_GAP);

/** Places texts and cards below each other, on as many pages as they need. */
class Flow {
  readonly paper: Paper;
  readonly maxTableRows: number;
  readonly #root: Section;
  #y = 0;

  constructor(paper: Paper, mostRows: number) {
    this.paper = paper;
    this.maxTableRows = mostRows;
    this.#root = paper.doc.struct('Document');
    paper.doc.addStructure(this.#root);
    this.#newPage();
  }

  end(): void {
    this.#root.end();
  }

  text(parts: readonly TextPart[], sizes: BlockSizes): void {
    let rest = textBlocks(this.paper, parts, { width: WIDTH, sizes });
    while (rest.length > 0) {
      const hasTextAbove = this.#y > PAGE.margin;
      const split = splitBlocks(rest, BOTTOM - this.#y, { isPage: !hasTextAbove, hasTextAbove });
      drawBlocks(this.paper, this.#root, split.shown, { x: PAGE.margin, y: this.#y, width: WIDTH });
      this.#y += split.height;
      rest = split.rest;
      if (rest.length > 0) this.#newPage();
    }
  }

  async card(card: Parameters<typeof drawCard>[2], height: number): Promise<void> {
    if (this.#y > PAGE.margin) this.#y += BODY * 0.5;
    if (this.#y > PAGE.margin && this.#y + height > BOTTOM) this.#newPage();
    await drawCard(this.paper, this.#root, card, { x: PAGE.margin, y: this.#y, width: WIDTH, height });
    this.#y += height + BODY;
  }

  #newPage(): void {
    const { doc, surface } = this.paper;
    doc.addPage();
    artifact(doc, () => {
      doc.rect(0, 0, PAGE.width, PAGE.height).fillColor(surface.background, 1).fill();
    });
    this.#y = PAGE.margin;
  }
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
