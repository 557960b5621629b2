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
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import { drawChart } from '../charts/draw.ts';
import { printable } from '../charts/svg.ts';
import { chartAlternative } from './alternative-text.ts';
import { type BeforeCard, type DashboardDocument, type DocumentCard, filtersLines, timesLine } from './documents.ts';
import { isTable, shownTable } from './table-cells.ts';
import { TRANSPARENT_PIXEL } from './transparent-pixel.ts';

const MAX = { rows: 500, columns: 20 };
/** In pixels; the text of a page of A4 is 600 wide. */
const PICTURE = { width: 600, height: 320 };
const KPI_HEIGHT = 140;

/** The dashboard as a text document: a heading for each card, tables as tables, and charts as vector pictures. */
export async function writeDocx(dashboard: DashboardDocument, beforeCard: BeforeCard = () => {}): Promise<Buffer> {
  const children: (Paragraph | Table)[] = [heading(dashboard.title, HeadingLevel.TITLE)];
  if (dashboard.description !== '') children.push(...paragraphs(dashboard.description));
  for (const line of filtersLines(dashboard)) children.push(...paragraphs(line));
  for (const page of dashboard.pages) {
    if (page.name !== '') children.push(heading(page.name, HeadingLevel.HEADING_1));
    for (const card of page.cards) {
      beforeCard();
      children.push(...(await cardBlocks(card, dashboard)));
    }
  }
  const document = new Document({
    title: printable(dashboard.title),
    description: printable(dashboard.description),
    sections: [{ children, footers: { default: new Footer({ children: [new Paragraph(timesLine(dashboard))] }) } }],
  });
  return Packer.toBuffer(document);
}

const heading = (text: string, level: (typeof HeadingLevel)[keyof typeof HeadingLevel]): Paragraph =>
  new Paragraph({ heading: level, keepNext: true, children: [new TextRun(printable(text))] });

const paragraphs = (text: string, color?: string): Paragraph[] =>
  printable(text)
    .split(/\r\n|\r|\n/)
    .map((line) => new Paragraph({ children: [new TextRun({ text: line, ...(color && { color }) })] }));

async function cardBlocks(card: DocumentCard, dashboard: DashboardDocument): Promise<(Paragraph | Table)[]> {
  const { title, content } = card;
  if (content.kind === 'divider') return [new Paragraph({ thematicBreak: true })];
  const blocks: (Paragraph | Table)[] = title === '' ? [] : [heading(title, HeadingLevel.HEADING_2)];
  if (content.kind === 'text') return [...blocks, ...paragraphs(content.text)];
  if (content.kind === 'problem') return [...blocks, ...paragraphs(content.problem, 'B93322')];
  if (isTable(content)) {
    const { headings, rows, rightAligned, leftOut } = shownTable(content, MAX);
    blocks.push(tableOf([headings, ...rows], rightAligned), ...paragraphs(leftOut));
  } else blocks.push(await picture(card, content, dashboard));
  const { truncated, data } = content;
  return truncated ? [...blocks, ...paragraphs(`Truncated: the first ${data.rows.length} rows`)] : blocks;
}

const tableOf = (rows: readonly (readonly string[])[], rightAligned: readonly boolean[]): Table =>
  new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: rows.map(
      (cells, index) =>
        new TableRow({
          tableHeader: index === 0,
          cantSplit: true,
          children: cells.map(
            (text, at) =>
              new TableCell({
                children: [
                  new Paragraph({
                    alignment: rightAligned[at] ? AlignmentType.RIGHT : AlignmentType.LEFT,
                    children: [new TextRun({ text, bold: index === 0, size: 18 })],
                  }),
                ],
              }),
          ),
        }),
    ),
  });

async function picture(
  card: DocumentCard,
  content: Extract<DocumentCard['content'], { kind: 'chart' }>,
  { theme }: DashboardDocument,
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
