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
import { isTable, shownTable } from './table-cells.ts';

/** The library has types of CommonJS, and is a module. */
const Presentation = Library as unknown as typeof Library.default;

/** In inches: slides of 16 to 9. */
const SLIDE = { width: 13.33, margin: 0.5 };
const BODY = { x: SLIDE.margin, y: 1.2, w: SLIDE.width - 2 * SLIDE.margin, h: 5.5 };
const FONT = 'Arial';
const MAX = { rows: 14, columns: 12 };
const PIXELS_PER_INCH = 96;

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
      if (card.content.kind !== 'divider') await addCard(add(), card, name, look);
    }
  }
  return (await deck.write({ outputType: 'nodebuffer', compression: true })) as Buffer;
}

const hex = (colour: string): string =>
  colour
    .slice(1)
    .toUpperCase()
    .replace(/^(.)(.)(.)$/, '$1$1$2$2$3$3');

async function addCard(slide: Slide, card: DocumentCard, page: string, look: Deck): Promise<void> {
  const { title, content } = card;
  const words = { fontFace: FONT, color: look.text, valign: 'top' as const };
  slide.addText(printable(title || page), {
    ...BODY,
    ...words,
    y: 0.35,
    h: 0.7,
    fontSize: 24,
    bold: true,
    fit: 'shrink',
  });
  const notes: string[] = [];
  if (content.kind === 'text')
    slide.addText(printable(content.text), { ...BODY, ...words, fontSize: 16, fit: 'shrink' });
  if (content.kind === 'problem')
    slide.addText(printable(content.problem), { ...BODY, ...words, fontSize: 16, color: look.bad });
  if (content.kind === 'chart') {
    if (content.truncated) notes.push(`Truncated: the first ${content.data.rows.length} rows`);
    const native = nativeChart(content);
    if (isTable(content)) notes.push(addTable(slide, content, look));
    else if (native) addChart(slide, native, { card, content, look });
    else await addPicture(slide, card, content, look);
  }
  const note = [page, ...notes].filter((part) => part !== '').join(' · ');
  slide.addText(printable(note), { ...BODY, y: 6.9, h: 0.35, fontFace: FONT, fontSize: 10, color: look.muted });
}

function addTable(slide: Slide, content: Chart, { text, muted }: Deck): string {
  const { headings, rows, rightAligned, leftOut } = shownTable(content, MAX);
  if (headings.length === 0) return leftOut;
  const line = { type: 'solid' as const, pt: 0.5, color: muted };
  const lined = [headings, ...rows].map((cells, index) =>
    cells.map((cell, at) => ({
      text: cell,
      options: {
        bold: index === 0,
        align: rightAligned[at] ? ('right' as const) : ('left' as const),
        border: [{ type: 'none' as const }, { type: 'none' as const }, line, { type: 'none' as const }] as [
          Library.default.BorderProps,
          Library.default.BorderProps,
          Library.default.BorderProps,
          Library.default.BorderProps,
        ],
      },
    })),
  );
  slide.addTable(lined, { x: BODY.x, y: BODY.y, w: BODY.w, fontFace: FONT, fontSize: 12, color: text, margin: 0.05 });
  return leftOut;
}

function addChart(
  slide: Slide,
  { type, isHorizontal, isGrouped, categories, series }: NativeChart,
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
