import PDFDocument from 'pdfkit';
import { drawChart } from '../charts/draw.ts';
import { type Surface, surfaceOf } from '../charts/theme.ts';
import { chartAlternative } from './alternative-text.ts';
import type { BeforeCard, DashboardDocument, DocumentCard } from './documents.ts';
import { type PlacedCard, paginated } from './page-layout.ts';
import { PdfText } from './pdf-text.ts';
import { drawSvg } from './svg-to-pdf.ts';
import { readSvg } from './svg-tree.ts';

/** A4 in landscape, in points. */
const PAGE = { width: 842, height: 595, margin: 32 };
const FOOTER = 22;
const COLUMN = (PAGE.width - 2 * PAGE.margin) / 24;
/** Somewhat lower than on a screen, so that two usual charts lie above each other. */
const ROW = 26;
const GAP = 6;
const PADDING = 8;
const PIXEL = 0.75;
const TITLE = { size: 9.5, bold: true };
const NOTE = { size: 6.5 };
const BODY = { size: 8.5 };

interface Paper {
  doc: PDFKit.PDFDocument;
  text: PdfText;
  surface: Surface;
  theme: DashboardDocument['theme'];
}

/** The dashboard as PDF, and the characters that no font has. Cards lie as on the screen; none is cut by the end of a page. */
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
  cards: PlacedCard[];
  page: string;
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
  const sheets = sheetsOf(dashboard);
  for (const [index, { cards, page, headings }] of sheets.entries()) {
    doc.addPage();
    artifact(doc, () => {
      doc.rect(0, 0, PAGE.width, PAGE.height).fillColor(paper.surface.background, 1).fill();
      footer(paper, dashboard, { page, number: index + 1, of: sheets.length });
    });
    const section = doc.struct('Sect', page === '' ? {} : { title: page });
    root.add(section);
    let top = PAGE.margin;
    for (const { level, text, size } of headings) {
      const style = { size, bold: level !== 'P', color: level === 'P' ? paper.surface.muted : paper.surface.text };
      const shown = paper.text.fitted(text, PAGE.width - 2 * PAGE.margin, style);
      section.add(doc.struct(level, {}, () => paper.text.line(shown, PAGE.margin, top + size, style)));
      top += size * 1.5;
    }
    for (const placed of cards) {
      beforeCard();
      await drawCard(paper, section, placed, top + (headings.length > 0 ? GAP : 0));
    }
    section.end();
  }
  root.end();
}

function sheetsOf({ title, description, pages }: DashboardDocument): Sheet[] {
  const firstLines = [
    { level: 'H1', text: title, size: 17 },
    ...(description === '' ? [] : [{ level: 'P', text: description.replaceAll(/\s+/g, ' '), size: 8.5 }]),
  ] as Heading[];
  const named = pages.length === 0 ? [{ name: '', cards: [] }] : pages;
  return named.flatMap(({ name, cards }, index) => {
    const headings = [
      ...(index === 0 ? firstLines : []),
      ...(name === '' ? [] : [{ level: 'H2' as const, text: name, size: 12 }]),
    ];
    const used = headings.reduce((sum, { size }) => sum + size * 1.5, GAP);
    const rowsIn = (height: number) => Math.floor((PAGE.height - 2 * PAGE.margin - FOOTER - height) / ROW);
    const sheets: PlacedCard[][] = cards.length === 0 ? [[]] : paginated(cards, rowsIn(used), rowsIn(0));
    return sheets.map((placed, at) => ({ cards: placed, page: name, headings: at === 0 ? headings : [] }));
  });
}

/** What is not part of the text: assistive programs leave it out. */
function artifact(doc: PDFKit.PDFDocument, draw: () => void): void {
  doc.markContent('Artifact', { type: 'Layout' });
  draw();
  doc.endMarkedContent();
}

function footer(
  { text, surface }: Paper,
  { title, generatedAt, timezone }: DashboardDocument,
  { page, number, of }: { page: string; number: number; of: number },
): void {
  const style = { ...NOTE, color: surface.muted };
  const y = PAGE.height - PAGE.margin + 6;
  const left = [title, page].filter((part) => part !== '').join(' · ');
  const right = `Created ${generatedAt} · Time zone ${timezone} · ${number} / ${of}`;
  const width = text.width(right, style);
  text.line(text.fitted(left, PAGE.width - 2 * PAGE.margin - width - 20, style), PAGE.margin, y, style);
  text.line(right, PAGE.width - PAGE.margin - width, y, style);
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

type Section = PDFKit.PDFStructureElement;

async function drawCard(paper: Paper, section: Section, { card, top, rows }: PlacedCard, from: number): Promise<void> {
  const { doc, text, surface, theme } = paper;
  const { position, content } = card;
  const box = {
    x: PAGE.margin + position.x * COLUMN,
    y: from + top * ROW,
    width: position.w * COLUMN - GAP,
    height: rows * ROW - GAP,
  };
  if (content.kind === 'divider') {
    const middle = box.y + box.height / 2;
    artifact(doc, () => {
      doc
        .moveTo(box.x, middle)
        .lineTo(box.x + box.width, middle)
        .lineWidth(1)
        .strokeColor(surface.line, 1)
        .stroke();
    });
    return;
  }
  artifact(doc, () => {
    const radius = Math.min(theme.radius * PIXEL, box.height / 2);
    doc.roundedRect(box.x, box.y, box.width, box.height, radius).lineWidth(0.75).strokeColor(surface.line, 1).stroke();
  });
  const inner = {
    x: box.x + PADDING,
    y: box.y + PADDING,
    width: box.width - 2 * PADDING,
    height: box.height - 2 * PADDING,
  };
  if (card.title !== '') {
    const style = { ...TITLE, color: surface.text };
    const shown = text.fitted(card.title, inner.width, style);
    section.add(doc.struct('H3', {}, () => text.line(shown, inner.x, inner.y + TITLE.size, style)));
    inner.y += TITLE.size * 1.7;
    inner.height -= TITLE.size * 1.7;
  }
  if (inner.height < 8) return;
  switch (content.kind) {
    case 'text':
      return paragraph(paper, section, inner, { text: content.text, color: surface.text });
    case 'problem':
      return paragraph(paper, section, inner, { text: content.problem, color: surface.bad });
    default:
      return chart(paper, section, inner, card, content);
  }
}

function paragraph(
  { doc, text }: Paper,
  section: Section,
  { x, y, width, height }: Box,
  { text: content, color }: { text: string; color: string },
): void {
  const style = { ...BODY, color };
  const height1 = BODY.size * 1.4;
  const lines = text.wrapped(content, width, style, Math.max(1, Math.floor(height / height1)));
  section.add(
    doc.struct('P', {}, () => {
      for (const [index, line] of lines.entries()) text.line(line, x, y + BODY.size + index * height1, style);
    }),
  );
}

async function chart(
  { doc, text, theme, surface }: Paper,
  section: Section,
  inner: Box,
  card: DocumentCard,
  content: Extract<DocumentCard['content'], { kind: 'chart' }>,
): Promise<void> {
  const area = { ...inner };
  if (content.truncated) {
    const style = { ...NOTE, color: surface.muted };
    const note = text.fitted(`Truncated: the first ${content.data.rows.length} rows`, inner.width, style);
    section.add(doc.struct('P', {}, () => text.line(note, inner.x, inner.y + inner.height, style)));
    area.height -= NOTE.size * 1.6;
  }
  const size = { width: Math.max(80, area.width / PIXEL), height: Math.max(40, area.height / PIXEL) };
  const tree = readSvg(await drawChart(content.look, content.data, { ...size, theme, description: '' }));
  // Charts side by side may need more room than there is.
  const scale = Math.min(PIXEL, area.width / tree.width, area.height / tree.height);
  section.add(
    doc.struct('Figure', { alt: chartAlternative(card, content) }, () => {
      doc.save();
      doc.translate(area.x, area.y).scale(scale);
      drawSvg(doc, text, tree);
      doc.restore();
    }),
  );
}
