import Library from 'pptxgenjs';
import { drawChart } from '../charts/draw.ts';
import { printable } from '../charts/svg.ts';
import { surfaceOf } from '../charts/theme.ts';
import { chartAlternative } from './alternative-text.ts';
import {
  type BeforeCard,
  type CardContent,
  type DashboardDocument,
  type DocumentCard,
  filtersLines,
  timesLine,
} from './documents.ts';
import { type NativeChart, nativeChart } from './native-chart.ts';
import { columnsOf, isTable, type ShownTable, showTable } from './table-cells.ts';
import { type TablePart, tableParts } from './table-parts.ts';

/** The library has types of CommonJS, and is a module. */
const Presentation = Library as unknown as typeof Library.default;

/** In inches: slides of 16 to 9. */
const SLIDE = { width: 13.33, margin: 0.5 };
const BODY = { x: SLIDE.margin, y: 1.2, w: SLIDE.width - 2 * SLIDE.margin, h: 5.5 };
const FONT = 'Arial';
const MAX = { rows: 14, columns: 48 };
const PIXELS_PER_INCH = 96;
const POINTS_PER_INCH = 72;
const CELL_MARGIN = 0.05;
/** In points. */
const MEASURE = {
  width: BODY.w * POINTS_PER_INCH,
  fontSize: 12,
  padding: CELL_MARGIN * POINTS_PER_INCH,
  minColumn: 48,
};

type Chart = Extract<CardContent, { kind: 'chart' }>;
type Slide = Library.default.Slide;

interface Deck {
  dashboard: DashboardDocument;
  text: string;
  muted: string;
  bad: string;
  background: string;
  palette: string[];
}

/** The dashboard as slides, one for each card: tables and common charts are native, and can be edited. */
export async function writePptx(dashboard: DashboardDocument, beforeCard: BeforeCard = () => {}): Promise<Buffer> {
  const { theme, title, description } = dashboard;
  const deck = new Presentation();
  deck.layout = 'LAYOUT_WIDE';
  deck.title = printable(title);
  deck.subject = printable(description);
  const [text, muted, bad, background] = [
    surfaceOf(theme).text,
    surfaceOf(theme).muted,
    surfaceOf(theme).bad,
    surfaceOf(theme).background,
  ].map(hex) as [string, string, string, string];
  const look: Deck = { dashboard, text, muted, bad, background, palette: theme.palette.map(hex) };
  const add = (): Slide => {
    const slide = deck.addSlide();
    slide.background = { color: background };
    return slide;
  };
  const first = add();
  first.addText(printable(title), { ...BODY, y: 2.4, h: 1.2, fontFace: FONT, fontSize: 36, bold: true, color: text });
  const about = [description, ...filtersLines(dashboard), timesLine(dashboard)]
    .filter((line) => line !== '')
    .join('\n');
  first.addText(printable(about), { ...BODY, y: 3.6, h: 2, fontFace: FONT, fontSize: 14, color: muted, valign: 'top' });
  for (const { name, cards } of dashboard.pages) {
    for (const card of cards) {
      beforeCard();
      if (card.content.kind !== 'divider') await addCard(add, card, name, look);
    }
  }
  return (await deck.write({ outputType: 'nodebuffer', compression: true })) as Buffer;
}

const hex = (colour: string): string =>
  colour
    .slice(1)
    .toUpperCase()
    .replace(/^(.)(.)(.)$/, '$1$1$2$2$3$3');

async function addCard(add: () => Slide, card: DocumentCard, page: string, look: Deck): Promise<void> {
  const { content } = card;
  const slide = titled(add(), card.title || page, look);
  const words = { fontFace: FONT, color: look.text, valign: 'top' as const };
  const notes: string[] = [];
  if (content.kind === 'text')
    slide.addText(printable(content.text), { ...BODY, ...words, fontSize: 16, fit: 'shrink' });
  if (content.kind === 'problem')
    slide.addText(printable(content.problem), { ...BODY, ...words, fontSize: 16, color: look.bad });
  if (content.kind === 'chart') {
    if (content.truncated) notes.push(`Truncated: the first ${content.data.rows.length} rows`);
    const native = nativeChart(content);
    if (isTable(content)) return addTable(slide, content, { add, title: card.title || page, page, notes, look });
    else if (native) addChart(slide, native, { card, content, look });
    else await addPicture(slide, card, content, look);
  }
  addNote(slide, [page, ...notes], look);
}

function titled(slide: Slide, title: string, { text: color }: Deck): Slide {
  const place = { ...BODY, y: 0.35, h: 0.7 };
  slide.addText(printable(title), {
    ...place,
    fontFace: FONT,
    color,
    valign: 'top',
    fontSize: 24,
    bold: true,
    fit: 'shrink',
  });
  return slide;
}

function addNote(slide: Slide, notes: readonly string[], { muted: color }: Deck): void {
  const note = notes.filter((part) => part !== '').join(' · ');
  slide.addText(printable(note), { ...BODY, y: 6.9, h: 0.35, fontFace: FONT, fontSize: 10, color });
}

/** A table, which continues on further slides where it has more columns than fit beside each other. */
function addTable(
  first: Slide,
  content: Chart,
  { add, title, page, notes, look }: { add: () => Slide; title: string; page: string; notes: string[]; look: Deck },
): void {
  const table = showTable(content, MAX);
  const parts = tableParts(columnsOf(table), MEASURE);
  for (const [index, part] of parts.entries()) {
    const slide = index === 0 ? first : titled(add(), `${title} (${index + 1} of ${parts.length})`, look);
    addTablePart(slide, table, part, look);
    addNote(slide, [page, ...notes, table.leftOut], look);
  }
  if (parts.length === 0) addNote(first, [page, ...notes, table.leftOut], look);
}

function addTablePart(
  slide: Slide,
  { headings, rows, isNumber }: ShownTable,
  { columns, places, fontSize }: TablePart,
  { text, muted }: Deck,
): void {
  const none = { type: 'none' as const };
  const border = [none, none, { type: 'solid' as const, pt: 0.5, color: muted }, none] as [
    Library.default.BorderProps,
    Library.default.BorderProps,
    Library.default.BorderProps,
    Library.default.BorderProps,
  ];
  const lined = [headings, ...rows].map((cells, index) =>
    columns.map((at) => ({
      text: cells[at]!,
      options: { bold: index === 0, align: isNumber[at] ? ('right' as const) : ('left' as const), border },
    })),
  );
  slide.addTable(lined, {
    ...{ x: BODY.x, y: BODY.y, w: BODY.w, fontFace: FONT, color: text, margin: CELL_MARGIN },
    fontSize: Math.max(1, Math.floor(fontSize * 2) / 2),
    colW: places.map(({ width }) => width / POINTS_PER_INCH),
  });
}

function addChart(
  slide: Slide,
  { type, isHorizontal, isGrouped, categories, series, formatCode }: NativeChart,
  { card, content, look }: { card: DocumentCard; content: Chart; look: Deck },
): void {
  const isRound = type === 'pie' || type === 'doughnut';
  slide.addChart(
    type as Library.default.CHART_NAME,
    series.map(({ name, values }) => ({ name, labels: categories, values })),
    {
      ...BODY,
      altText: chartAlternative(card, content),
      chartColors: look.palette,
      barDir: isHorizontal ? 'bar' : 'col',
      barGrouping: isGrouped || series.length === 1 ? 'clustered' : 'stacked',
      showLegend: isRound || series.length > 1,
      legendPos: 'r',
      legendColor: look.muted,
      catAxisLabelColor: look.muted,
      valAxisLabelColor: look.muted,
      valAxisLabelFormatCode: formatCode,
      dataLabelFormatCode: isRound ? '0%' : formatCode,
      valGridLine: { color: look.muted, size: 0.25 },
      dataLabelColor: look.text,
      ...(isRound && { showPercent: true }),
    },
  );
}

async function addPicture(
  slide: Slide,
  card: DocumentCard,
  content: Chart,
  { dashboard: { theme } }: Deck,
): Promise<void> {
  const size = { width: BODY.w * PIXELS_PER_INCH, height: BODY.h * PIXELS_PER_INCH };
  const svg = await drawChart(content.look, content.data, { ...size, theme });
  slide.addImage({
    ...BODY,
    data: `image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
    altText: chartAlternative(card, content),
  });
}
