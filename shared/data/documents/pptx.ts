import Library from 'pptxgenjs';
import { drawChart } from '../charts/draw.ts';
import { rowsThere } from '../charts/latest-rows.ts';
import { printable } from '../charts/svg.ts';
import { surfaceOf } from '../charts/theme.ts';
import { chartAlternative } from './alternative-text.ts';
import { cardText } from './card-text.ts';
import {
  type BeforeCard,
  type CardContent,
  type DashboardDocument,
  type DocumentCard,
  filtersLines,
  timesLine,
} from './documents.ts';
import { editZip } from './edit-zip.ts';
import { type NativeChart, nativeChart } from './native-chart.ts';
import { addText, withOneLookEach } from './pptx-text.ts';
import { columnsOf, isTable, type ShownTable, showTable } from './table-cells.ts';
import { type TablePart, tableParts } from './table-parts.ts';

/** The library has types of CommonJS, and is a module. */
const Presentation = Library as unknown as typeof Library.default;
type Deckfile = Library.default;

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
  link: string;
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
  const look: Deck = {
    dashboard,
    text,
    muted,
    bad,
    background,
    palette: theme.palette.map(hex),
    link: theme.dark ? '8AB4F8' : '0B57D0',
  };
  defineMasters(deck, look);
  const first = deck.addSlide({ masterName: FIRST_SLIDE });
  const add = (): Slide => deck.addSlide({ masterName: CARD_SLIDE });
  first.addText(printable(title), { placeholder: TITLE });
  const about = [description, ...filtersLines(dashboard), timesLine(dashboard)]
    .filter((line) => line !== '')
    .join('\n');
  first.addText(printable(about), { placeholder: SUBTITLE });
  for (const { name, cards } of dashboard.pages) {
    for (const card of cards) {
      beforeCard();
      if (card.content.kind !== 'divider') await addCard(add, card, name, look);
    }
  }
  const bytes = (await deck.write({ outputType: 'nodebuffer' })) as Buffer;
  const withGaps = await editZip(bytes, /^ppt\/charts\/chart\d+\.xml$/, withoutEmptyPoints);
  return editZip(withGaps, /^ppt\/slides\/slide\d+\.xml$/, withOneLookEach);
}

/** The library writes an empty number for a gap, which is none. */
const withoutEmptyPoints = (chart: string): string => chart.replaceAll(/<c:pt idx="\d+"><c:v><\/c:v><\/c:pt>/g, '');

const FIRST_SLIDE = 'Title';
const CARD_SLIDE = 'Card';
const TITLE = 'title';
const SUBTITLE = 'subtitle';

/** Titles are those of the slides: outlines and assistive programs list them. */
function defineMasters(deck: Deckfile, { text, muted, background }: Deck): void {
  const look = { fontFace: FONT, color: text, bold: true, align: 'left' as const, margin: 0 };
  const title = (place: object) => ({
    placeholder: { options: { name: TITLE, type: 'title' as const, ...look, ...place }, text: '' },
  });
  const about = {
    fontFace: FONT,
    color: muted,
    fontSize: 14,
    align: 'left' as const,
    valign: 'top' as const,
    margin: 0,
  };
  deck.defineSlideMaster({
    title: FIRST_SLIDE,
    background: { color: background },
    objects: [
      title({ ...BODY, y: 2.4, h: 1.2, fontSize: 36, valign: 'bottom' }),
      { placeholder: { options: { name: SUBTITLE, type: 'body', ...about, ...BODY, y: 3.7, h: 2 }, text: '' } },
    ],
  });
  deck.defineSlideMaster({
    title: CARD_SLIDE,
    background: { color: background },
    objects: [title({ ...BODY, y: 0.35, h: 0.7, fontSize: 24, valign: 'top', fit: 'shrink' })],
  });
}

const hex = (colour: string): string =>
  colour
    .slice(1)
    .toUpperCase()
    .replace(/^(.)(.)(.)$/, '$1$1$2$2$3$3');

async function addCard(add: () => Slide, card: DocumentCard, page: string, look: Deck): Promise<void> {
  const { content } = card;
  const title = card.title || page;
  const text = cardText(content);
  if (text) {
    const colors = { text: content.kind === 'problem' ? look.bad : look.text, muted: look.muted, link: look.link };
    const numbered = (index: number, count: number) =>
      titled(add(), count === 1 ? title : `${title} (${index + 1} of ${count})`);
    for (const slide of addText(numbered, text, { place: BODY, font: FONT, colors })) addNote(slide, [page], look);
    return;
  }
  if (content.kind !== 'chart') return;
  const slide = titled(add(), title);
  const notes = content.truncated ? [`Truncated: ${rowsThere(content.look, content.data.rows.length)}`] : [];
  const native = nativeChart(content);
  if (isTable(content)) return addTable(slide, content, { add, title, page, notes, look });
  if (native) addChart(slide, native, { card, content, look });
  else await addPicture(slide, card, content, look);
  addNote(slide, [page, ...notes], look);
}

function titled(slide: Slide, title: string): Slide {
  slide.addText(printable(title), { placeholder: TITLE });
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
    const slide = index === 0 ? first : titled(add(), `${title} (${index + 1} of ${parts.length})`);
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
    // Null is a gap; the types of the library know only numbers.
    series.map(({ name, values }) => ({ name, labels: categories, values: values as number[] })),
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
      // A small slice is not 0%.
      dataLabelFormatCode: isRound ? '0.0%' : formatCode,
      valGridLine: { color: look.muted, size: 0.25 },
      dataLabelColor: look.text,
      ...(isRound && { showPercent: true }),
      displayBlanksAs: 'gap',
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
