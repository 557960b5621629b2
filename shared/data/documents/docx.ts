import {
  AlignmentType,
  Document,
  Footer,
  HeadingLevel,
  ImageRun,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import { readMarkdown } from '../../platform/text/markdown/read-markdown.ts';
import { drawChart } from '../charts/draw.ts';
import { rowsThere } from '../charts/latest-rows.ts';
import { printable } from '../charts/svg.ts';
import { chartAlternative } from './alternative-text.ts';
import { type BeforeCard, type DashboardDocument, type DocumentCard, filtersLines, timesLine } from './documents.ts';
import { type DocxHeading, docxBlocks, headingBelow } from './docx-blocks.ts';
import { columnsOf, isTable, type ShownTable, showTable } from './table-cells.ts';
import { type TablePart, tableParts } from './table-parts.ts';
import { TRANSPARENT_PIXEL } from './transparent-pixel.ts';

const MAX = { rows: 500, columns: 48 };
/** In pixels; the text of a page of A4 is 600 wide. */
const PICTURE = { width: 600, height: 320 };
const KPI_HEIGHT = 140;
/** In points: the text of a page of A4, and the margins of cells. */
const MEASURE = { width: 450, fontSize: 9, padding: 5.4, minColumn: 42 };
const TWIPS = 20;

/** The dashboard as a text document: a heading for each card, tables as tables, and charts as vector pictures. */
export async function writeDocx(dashboard: DashboardDocument, beforeCard: BeforeCard = () => {}): Promise<Buffer> {
  const children: (Paragraph | Table)[] = [heading(dashboard.title, HeadingLevel.TITLE)];
  if (dashboard.description !== '') children.push(...paragraphs(dashboard.description));
  for (const line of filtersLines(dashboard)) children.push(...paragraphs(line));
  for (const page of dashboard.pages) {
    if (page.name !== '') children.push(heading(page.name, HeadingLevel.HEADING_1));
    for (const card of page.cards) {
      beforeCard();
      children.push(...(await cardBlocks(card, dashboard.theme, HeadingLevel.HEADING_2)));
    }
  }
  return docxFile(dashboard, children);
}

/** The blocks as a file, with a footer that says when the data is from. */
export function docxFile(
  about: Pick<DashboardDocument, 'title' | 'description' | 'asOf' | 'generatedAt' | 'timezone'>,
  children: readonly (Paragraph | Table)[],
): Promise<Buffer> {
  const document = new Document({
    title: printable(about.title),
    description: printable(about.description),
    sections: [{ children, footers: { default: new Footer({ children: [new Paragraph(timesLine(about))] }) } }],
  });
  return Packer.toBuffer(document);
}

export const heading = (text: string, level: DocxHeading): Paragraph =>
  new Paragraph({ heading: level, keepNext: true, children: [new TextRun(printable(text))] });

export const paragraphs = (text: string, color?: string): Paragraph[] =>
  printable(text)
    .split(/\r\n|\r|\n/)
    .map((line) => new Paragraph({ children: [new TextRun({ text: line, ...(color && { color }) })] }));

/** A card, with its title as a heading of the level. */
export async function cardBlocks(
  card: Omit<DocumentCard, 'position'>,
  theme: DashboardDocument['theme'],
  level: DocxHeading,
): Promise<(Paragraph | Table)[]> {
  const { title, content } = card;
  if (content.kind === 'divider') return [new Paragraph({ thematicBreak: true })];
  const blocks: (Paragraph | Table)[] = title === '' ? [] : [heading(title, level)];
  if (content.kind === 'text') {
    const below = headingBelow(level, title === '' ? 0 : 1);
    return [...blocks, ...readMarkdown(content.text).flatMap((part) => docxBlocks(part, below))];
  }
  if (content.kind === 'problem') return [...blocks, ...paragraphs(content.problem, 'B93322')];
  if (isTable(content)) {
    const table = showTable(content, MAX);
    for (const part of tableParts(columnsOf(table), MEASURE)) blocks.push(tableOf(table, part), new Paragraph(''));
    blocks.push(...paragraphs(table.leftOut));
  } else blocks.push(await picture(card, content, theme));
  const { truncated, data, look } = content;
  return truncated ? [...blocks, ...paragraphs(`Truncated: ${rowsThere(look, data.rows.length)}`)] : blocks;
}

function tableOf({ headings, rows, isNumber }: ShownTable, { columns, places, fontSize }: TablePart): Table {
  const widths = places.map(({ width }) => Math.floor(width * TWIPS));
  const cell = (text: string, at: number, index: number, bold: boolean) =>
    new TableCell({
      width: { size: widths[index]!, type: WidthType.DXA },
      children: [
        new Paragraph({
          alignment: isNumber[at] ? AlignmentType.RIGHT : AlignmentType.LEFT,
          children: [new TextRun({ text, bold, size: Math.max(2, Math.floor(fontSize * 2)) })],
        }),
      ],
    });
  return new Table({
    // Programs that measure the texts themselves would break numbers.
    layout: TableLayoutType.FIXED,
    width: { size: widths.reduce((sum, each) => sum + each, 0), type: WidthType.DXA },
    columnWidths: widths,
    rows: [headings, ...rows].map(
      (cells, row) =>
        new TableRow({
          tableHeader: row === 0,
          cantSplit: true,
          children: columns.map((at, index) => cell(cells[at]!, at, index, row === 0)),
        }),
    ),
  });
}

async function picture(
  card: Omit<DocumentCard, 'position'>,
  content: Extract<DocumentCard['content'], { kind: 'chart' }>,
  theme: DashboardDocument['theme'],
): Promise<Paragraph> {
  const size = { ...PICTURE, ...(content.look.mark.type === 'kpi' && { height: KPI_HEIGHT }) };
  // Paper is white, whatever the theme.
  const svg = await drawChart(content.look, content.data, { ...size, theme: { ...theme, dark: false } });
  const description = chartAlternative(card, content);
  const image = new ImageRun({
    type: 'svg',
    data: Buffer.from(svg),
    transformation: size,
    fallback: { type: 'png', data: TRANSPARENT_PIXEL },
    altText: { name: printable(card.title) || 'Chart', title: printable(card.title), description },
  });
  return new Paragraph({ children: [image] });
}
