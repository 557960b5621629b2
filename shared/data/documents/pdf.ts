import PDFDocument from 'pdfkit';
import { surfaceOf } from '../charts/theme.ts';
import { maxTableRows, withContinuedTables } from './continued-tables.ts';
import { withContinuedTexts } from './continued-texts.ts';
import { type BeforeCard, type DashboardDocument, type DocumentCard, filtersLines, timesLine } from './documents.ts';
import { type PlacedCard, paginated } from './page-layout.ts';
import { type Box, CARD_GAP, drawCard, NOTE, type PaperCard } from './pdf-card.ts';
import { artifact, type Paper, type Section } from './pdf-paper.ts';
import { PdfText } from './pdf-text.ts';

/** A4 in landscape, in points. */
const PAGE = { width: 842, height: 595, margin: 32 };
const FOOTER = 22;
const GRID = 24;
const COLUMN = (PAGE.width - 2 * PAGE.margin) / GRID;
/** Somewhat lower than on a screen, so that two usual charts lie above each other. */
const ROW = 26;

/**
 * The dashboard as PDF, and the characters that no font has. Cards lie as on the screen; none is cut by the end of a
 * page.
 */
export async function writePdf(
  dashboard: DashboardDocument,
  beforeCard: BeforeCard = () => {},
): Promise<{ bytes: Buffer; missing: string[] }> {
  const doc = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    font: '',
    autoFirstPage: false,
    tagged: true,
    pdfVersion: '1.7',
    lang: 'en',
    displayTitle: true,
    info: { Title: dashboard.title, Subject: dashboard.description, CreationDate: new Date(dashboard.generatedAt) },
  } as PDFKit.PDFDocumentOptions);
  const pieces: Buffer[] = [];
  doc.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise((resolve, reject) => doc.once('end', resolve).once('error', reject));
  const paper: Paper = { doc, text: new PdfText(doc), surface: surfaceOf(dashboard.theme), theme: dashboard.theme };
  await drawDashboard(paper, dashboard, beforeCard);
  doc.end();
  await ended;
  return { bytes: Buffer.concat(pieces), missing: [...paper.text.missing] };
}

interface Sheet {
  cards: PlacedCard<PaperCard>[];
  page: string;
  /** Whether it begins a page of the dashboard. */
  isFirst: boolean;
  headings: Heading[];
}

interface Heading {
  level: 'H1' | 'H2' | 'P';
  text: string;
  size: number;
}

async function drawDashboard(paper: Paper, dashboard: DashboardDocument, beforeCard: BeforeCard): Promise<void> {
  const { doc } = paper;
  const root = doc.struct('Document');
  doc.addStructure(root);
  const sheets = sheetsOf(paper, dashboard);
  let section: Section | undefined;
  for (const [index, { cards, page, isFirst, headings }] of sheets.entries()) {
    doc.addPage();
    artifact(doc, () => {
      doc.rect(0, 0, PAGE.width, PAGE.height).fillColor(paper.surface.background, 1).fill();
      footer(paper, dashboard, { page, number: index + 1, of: sheets.length });
    });
    if (!section || isFirst) {
      section?.end();
      section = doc.struct('Sect', page === '' ? {} : { title: page });
      root.add(section);
    }
    let top = PAGE.margin;
    for (const { level, text, size } of headings) {
      const style = { size, bold: level !== 'P', color: level === 'P' ? paper.surface.muted : paper.surface.text };
      const shown = paper.text.fitted(text, PAGE.width - 2 * PAGE.margin, style);
      section.add(doc.struct(level, {}, () => paper.text.line(shown, PAGE.margin, top + size, style)));
      top += size * 1.5;
    }
    for (const placed of cards) {
      beforeCard();
      await drawCard(paper, section, placed.card, boxOf(placed, top + (headings.length > 0 ? CARD_GAP : 0)));
    }
  }
  root.end();
}

function sheetsOf(paper: Paper, { title, description, pages, filters, theme }: DashboardDocument): Sheet[] {
  const firstLines = [
    { level: 'H1', text: title, size: 17 },
    ...(description === '' ? [] : [{ level: 'P', text: description.replaceAll(/\s+/g, ' '), size: 8.5 }]),
    ...filtersLines({ filters }).map((text) => ({ level: 'P', text, size: 8.5 })),
  ] as Heading[];
  const most = maxTableRows(pages.flatMap(({ cards }) => cards.map(({ content }) => content)));
  const named = pages.length === 0 ? [{ name: '', cards: [] }] : pages;
  return named.flatMap(({ name, cards }, index) => {
    const headings = [
      ...(index === 0 ? firstLines : []),
      ...(name === '' ? [] : [{ level: 'H2' as const, text: name, size: 12 }]),
    ];
    const used = headings.reduce((sum, { size }) => sum + size * 1.5, CARD_GAP);
    const rowsIn = (height: number) => Math.floor((PAGE.height - 2 * PAGE.margin - FOOTER - height) / ROW);
    const firstRows = rowsIn(used);
    const maxRows = rowsIn(0);
    const sizeOf = ({ position: { w, h } }: DocumentCard) => boxSize(w, h);
    const rowsOf = (height: number) => Math.ceil((height + CARD_GAP) / ROW);
    // Wherever a card lies, it is no higher than the first sheet.
    const fitting = cards.map((card) => ({
      ...card,
      position: { ...card.position, h: Math.min(card.position.h, firstRows) },
    }));
    const tables = withContinuedTables(fitting, { columns: GRID, sizeOf, rowsOf, maxRows, maxTableRows: most, theme });
    const whole = withContinuedTexts(paper, tables, { sizeOf, rowsOf, maxRows });
    const sheets: PlacedCard<PaperCard>[][] = cards.length === 0 ? [[]] : paginated(whole, firstRows, maxRows);
    return sheets.map((placed, at) => {
      const isFirst = at === 0;
      return { cards: placed, page: name, isFirst, headings: isFirst ? headings : [] };
    });
  });
}

function footer(
  { text, surface }: Paper,
  dashboard: DashboardDocument,
  { page, number, of }: { page: string; number: number; of: number },
): void {
  const style = { ...NOTE, color: surface.muted };
  const y = PAGE.height - PAGE.margin + 6;
  const left = [dashboard.title, page].filter((part) => part !== '').join(' · ');
  const right = `${timesLine(dashboard)} · ${number} / ${of}`;
  const width = text.width(right, style);
  text.line(text.fitted(left, PAGE.width - 2 * PAGE.margin - width - 20, style), PAGE.margin, y, style);
  text.line(right, PAGE.width - PAGE.margin - width, y, style);
}

const boxOf = ({ card: { position }, top, rows }: PlacedCard, from: number): Box => ({
  x: PAGE.margin + position.x * COLUMN,
  y: from + top * ROW,
  ...boxSize(position.w, rows),
});

const boxSize = (columns: number, rows: number) => ({
  width: columns * COLUMN - CARD_GAP,
  height: rows * ROW - CARD_GAP,
});
