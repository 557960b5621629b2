import { type ChartColumn, type ChartData, kindOf, numberValue, timeValue } from './chart-columns.ts';
import type { ChartLook } from './chart-look.ts';
import { periodLabel } from './period-label.ts';
import { showValue, signedPercent } from './show-value.ts';
import { element, escapeXml, fitted, svgDocument } from './svg.ts';
import { cutText, textWidth } from './text-width.ts';
import { FONT_FAMILIES, type Surface, surfaceOf, type ThemeTokens } from './theme.ts';
import type { Size } from './vega-lite-spec.ts';

export interface Kpi {
  title: string;
  value: string;
  /** Whether the value is a number or a date, which is never cut. */
  isWhole: boolean;
  /** Null where there is no value before to compare with, or it is 0. */
  change: number | null;
  /** What the change compares with. */
  before: string;
  history: readonly number[];
}

/** One number, how it changed, and its history as a line, if the rows are a history. */
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
  const text = (y: number, fontSize: number, fill: string, content: string, weight = 400) =>
    element(
      'text',
      { x: 0, y, fill, 'font-family': font, 'font-size': fontSize, 'font-weight': weight },
      escapeXml(content),
    );
  const line = (y: number, fontSize: number, fill: string, content: string) =>
    text(y, fontSize, fill, cutText(content, width, fontSize, { isMono }));
  const { change, before } = kpi;
  const note = change === null ? '' : `${signedPercent(change)} ${before}`;
  return svgDocument(
    { width, height, description: options.description ?? `${kpi.title}: ${kpi.value}${note && `, ${note}`}` },
    line(12, 12, surface.muted, kpi.title),
    text(20 + largest, size, surface.text, kpi.isWhole ? kpi.value : fitted(kpi.value, width, size), 600),
    change === null ? '' : line(42 + largest, 13, colourOf(change, surface), `${change < 0 ? '▼' : '▲'} ${note}`),
    sparkline(kpi.history, { top: 52 + largest, width, height, colour: theme.palette[0]! }),
  );
}

/** Rises are green and falls red: a chart does not know which direction is good, as metrics do. */
const colourOf = (change: number, { muted, good, bad }: Surface): string =>
  change === 0 ? muted : change > 0 ? good : bad;

export function kpiOf({ encoding }: ChartLook, { columns, rows }: ChartData): Kpi {
  const shown = encoding?.text;
  const at = indexOf(
    columns,
    shown?.field,
    ({ role, ...column }) => role === 'measure' || kindOf({ role, ...column }) === 'number',
  );
  const column = columns[at] ?? columns[0]!;
  const time = indexOf(columns, encoding?.order?.field, (each) => kindOf(each) === 'time');
  const history = time < 0 ? rows : [...rows].sort((a, b) => (timeValue(a[time]) ?? 0) - (timeValue(b[time]) ?? 0));
  const [latest, earlier] = [history.at(-1), history.at(-2)];
  const [value, previous] = [numberValue(latest?.[at]), numberValue(earlier?.[at])];
  const change = time < 0 || value === null || !previous ? null : (value - previous) / Math.abs(previous);
  return {
    title: shown?.title ?? column.name,
    value: latest === undefined ? '–' : showValue(column, latest[at], shown?.format) || '–',
    isWhole: kindOf(column) !== 'other',
    change,
    before: change === null ? '' : `since ${periodLabel(columns[time]!, timeValue(earlier![time]) ?? 0)}`,
    history: time < 0 ? [] : history.flatMap((row) => numberValue(row[at]) ?? []),
  };
}

function indexOf(
  columns: readonly ChartColumn[],
  name: string | undefined,
  fits: (column: ChartColumn) => boolean,
): number {
  return name === undefined ? columns.findIndex(fits) : columns.findIndex((column) => column.name === name);
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
