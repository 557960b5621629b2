import type { ChartData } from './chart-columns.ts';
import type { ChartLook } from './chart-look.ts';
import { type Comparison, type Kpi, kpiOf } from './kpi.ts';
import { element, escapeXml, fitted, svgDocument } from './svg.ts';
import { cutText, textWidth } from './text-width.ts';
import { FONT_FAMILIES, surfaceOf, type ThemeTokens } from './theme.ts';
import type { Size } from './vega-lite-spec.ts';

const TITLE_SIZE = 12;
const COMPARISON_SIZE = 13;
const LINE = 18;
/** Between comparisons beside each other. */
const GAP = 20;

/** One number, how it compares with others, and its history as a line, if the rows are a history. */
export function drawKpi(
  look: ChartLook,
  data: ChartData,
  options: Size & { theme: ThemeTokens; description?: string },
): string {
  const kpi = kpiOf(look, data);
  const { width, height, theme } = options;
  const surface = surfaceOf(theme);
  const largest = Math.max(16, Math.min(height * 0.36, 48));
  const isMono = theme.fonts.heading === 'mono';
  // A number is never cut: a long one is smaller.
  const size = kpi.isWhole
    ? Math.min(largest, (largest * width) / textWidth(kpi.value, largest, { isMono, isBold: true }))
    : largest;
  const font = FONT_FAMILIES[theme.fonts.heading];
  const text = (x: number, y: number, fontSize: number, fill: string, content: string, weight = 400) =>
    element(
      'text',
      { x, y, fill, 'font-family': font, 'font-size': fontSize, 'font-weight': weight },
      escapeXml(content),
    );
  const placed = placeComparisons(kpi.comparisons, { top: 42 + largest, width, height, isMono });
  const colours = { good: surface.good, bad: surface.bad, plain: surface.muted };
  const below = Math.max(34 + largest, ...placed.map(({ y }) => y));
  return svgDocument(
    { width, height, description: options.description ?? describeKpi(kpi) },
    text(0, TITLE_SIZE, TITLE_SIZE, surface.muted, headingOf(kpi, width, isMono)),
    text(0, 20 + largest, size, surface.text, kpi.isWhole ? kpi.value : fitted(kpi.value, width, size), 600),
    ...placed.map(({ x, y, fontSize, content, tone }) => text(x, y, fontSize, colours[tone], content)),
    sparkline(kpi.history, { top: 10 + below, width, height, colour: theme.palette[0]! }),
  );
}

const describeKpi = ({ title, period, value, comparisons }: Kpi): string =>
  `${[title, period].filter((part) => part !== '').join(', ')}: ${[value, ...comparisons.map(plainText)].join(', ')}`;

/** Signs say to a listener what the arrows show. */
const plainText = ({ text }: Comparison): string => text.replace(/^[▲▼] /, '');

/** The title and the period, of which the title is cut first. */
function headingOf({ title, period }: Kpi, width: number, isMono: boolean): string {
  const rest = period && ` · ${period}`;
  const room = width - textWidth(rest, TITLE_SIZE, { isMono });
  // Beside less of the title, the period would say nothing.
  if (rest === '' || room < width / 3) return cutText(title, width, TITLE_SIZE, { isMono });
  return `${cutText(title, room, TITLE_SIZE, { isMono })}${rest}`;
}

interface Placed {
  x: number;
  y: number;
  fontSize: number;
  content: string;
  tone: Comparison['tone'];
}

/** As many comparisons as fit, beside each other and then below. */
function placeComparisons(
  comparisons: readonly Comparison[],
  { top, width, height, isMono }: Size & { top: number; isMono: boolean },
): Placed[] {
  const placed: Placed[] = [];
  let [x, y] = [0, top];
  for (const { text, change, tone } of comparisons) {
    const { content, fontSize } = fitComparison(text, change, width, isMono);
    const taken = textWidth(content, fontSize, { isMono });
    if (x > 0 && x + taken > width) [x, y] = [0, y + LINE];
    if (y > height - 4) break;
    placed.push({ x, y, fontSize, content, tone });
    x += taken + GAP;
  }
  return placed;
}

/** Numbers are not cut: a long text is smaller, or the change stands alone. */
function fitComparison(text: string, change: string, width: number, isMono: boolean) {
  const sizeOf = (content: string) =>
    Math.min(COMPARISON_SIZE, (COMPARISON_SIZE * width) / textWidth(content, COMPARISON_SIZE, { isMono }));
  const content = sizeOf(text) < 9 ? change : text;
  return { content, fontSize: sizeOf(content) };
}

function sparkline(
  values: readonly number[],
  { top, width, height, colour }: { top: number; width: number; height: number; colour: string },
): string {
  const room = height - top - 4;
  if (values.length < 2 || room < 12) return '';
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const y = (value: number) => top + (high === low ? room / 2 : room - ((value - low) / (high - low)) * room);
  const points = values.map((value, index) => {
    const x = 2 + (index / (values.length - 1)) * (width - 4);
    return `${x.toFixed(1)},${y(value).toFixed(1)}`;
  });
  return element('polyline', {
    points: points.join(' '),
    fill: 'none',
    stroke: colour,
    'stroke-width': 2,
    'stroke-linejoin': 'round',
  });
}
