import { type ChartColumn, type ChartData, kindOf, numberValue } from './chart-columns.ts';
import type { Mark } from './chart-look.ts';
import { shownValue } from './shown-value.ts';
import { element, escapeXml, fitted, svgDocument } from './svg.ts';
import { FONT_FAMILIES, type Surface, surfaceOf, type ThemeTokens } from './theme.ts';
import type { Size } from './vega-lite-spec.ts';

type Shown = Omit<NonNullable<Mark['columns']>[number], 'field'> & { column: ChartColumn; at: number };

const ROW = 24;
const PADDING = 8;
const FONT_SIZE = 12;
/** Columns for which there is no room are left out, rather than all made too narrow to read. */
const MIN_COLUMN = 56;

/** As many rows as there is room for; the last line says how many are not shown. */
export function drawTable(
  given: Mark['columns'],
  data: ChartData & { columnsLeftOut?: number },
  { width, height, theme, description }: Size & { theme: ThemeTokens; description?: string },
): string {
  const wanted = shownColumns(given, data.columns);
  const columns = wanted.slice(0, Math.max(1, Math.floor(width / MIN_COLUMN)));
  const surface = surfaceOf(theme);
  const lines = Math.max(1, Math.floor(height / ROW) - 1);
  const hiddenColumns = wanted.length - columns.length + (data.columnsLeftOut ?? 0);
  const isCut = data.rows.length > lines || hiddenColumns > 0;
  const rows = !isCut ? data.rows : data.rows.slice(0, lines - 1);
  const places = placesOf(columns, rows, width);
  const family = FONT_FAMILIES[theme.fonts.body];
  const drawn = rows.flatMap((row, index) =>
    columns.map((column, at) =>
      cell(column, row[column.at], { place: places[at]!, y: (index + 1) * ROW, ranges: rangeOf(column, rows), theme }),
    ),
  );
  const hidden = data.rows.length - rows.length;
  const more = moreOf(hidden, hiddenColumns).map((text) =>
    textAt(PADDING, (rows.length + 1) * ROW, text, surface.muted),
  );
  return svgDocument(
    {
      width,
      height,
      description: description ?? `A table of ${data.rows.length} rows: ${columns.map(titleOf).join(', ')}`,
    },
    element(
      'g',
      { 'font-family': family, 'font-size': FONT_SIZE },
      ...columns.map((column, at) => heading(column, places[at]!, surface)),
      element('line', { x1: 0, x2: width, y1: ROW, y2: ROW, stroke: surface.line }),
      ...drawn,
      ...more,
    ),
  );
}

function moreOf(rows: number, columns: number): string[] {
  const counted = (count: number, word: string) =>
    count === 0 ? [] : [`${count} more ${word}${count === 1 ? '' : 's'}`];
  const parts = [...counted(rows, 'row'), ...counted(columns, 'column')];
  return parts.length === 0 ? [] : [parts.join(', ')];
}

export function shownColumns(given: Mark['columns'], columns: readonly ChartColumn[]): Shown[] {
  if (!given) return columns.map((column, at) => ({ column, at }));
  return given.flatMap(({ field, ...rest }) => {
    const at = columns.findIndex(({ name }) => name === field);
    return at < 0 ? [] : [{ ...rest, column: columns[at]!, at }];
  });
}

export const titleOf = ({ title, column }: Shown): string => title ?? column.name;

interface Place {
  x: number;
  width: number;
}

/** Numbers keep their room up to this share of the width. */
const MAX_NUMBERS = 0.6;
/** Of a heading above numbers; a longer one is cut, if need be. */
const MAX_HEADING = 10;

/**
 * Columns are as wide as their longest text wants, in proportion. Where there is not enough room, texts are cut first: a number without
 * its last digits says nothing.
 */
function placesOf(columns: readonly Shown[], rows: ChartData['rows'], width: number): Place[] {
  const widths = columns.map((column) => {
    const values = rows.map((row) => shownValue(column.column, row[column.at], column.format).length);
    const heading = titleOf(column).length;
    return {
      wanted: widthOf(Math.max(heading, 3, ...values)),
      // Rounding must not cost a digit.
      least: isNumber(column) ? 1 + widthOf(Math.max(Math.min(heading, MAX_HEADING), 3, ...values)) : 0,
    };
  });
  const [wanted, least] = [sumOf(widths.map((each) => each.wanted)), sumOf(widths.map((each) => each.least))];
  const isNarrow = wanted > width && least <= width * MAX_NUMBERS && columns.some((column) => !isNumber(column));
  const texts = sumOf(widths.map((each) => (each.least > 0 ? 0 : each.wanted)));
  let x = 0;
  return widths.map((each) => {
    const room = isNarrow
      ? each.least || (each.wanted * (width - least)) / texts
      : (each.wanted * width) / Math.max(1, wanted);
    const place = { x, width: room };
    x += room;
    return place;
  });
}

const widthOf = (characters: number): number => Math.min(40, characters) * FONT_SIZE * 0.56 + 2 * PADDING;
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

const isNumber = ({ column }: Shown): boolean => kindOf(column) === 'number';

function heading(column: Shown, place: Place, { muted }: Surface): string {
  return textIn(column, place, 0, titleOf(column), muted, 600);
}

interface CellOptions {
  place: Place;
  y: number;
  ranges: { low: number; high: number };
  theme: ThemeTokens;
}

function cell(column: Shown, value: unknown, { place, y, ranges: { low, high }, theme }: CellOptions): string {
  const number = numberValue(value);
  const share = number === null || high === low ? 0 : (number - low) / (high - low);
  const fill = theme.palette[0]!;
  const box = { x: place.x + 2, y: y + 3, height: ROW - 6, rx: 2, fill };
  const marks = [
    column.showColor && number !== null
      ? element('rect', { ...box, width: place.width - 4, opacity: 0.08 + share * 0.5 })
      : '',
    column.showBar && number !== null
      ? element('rect', { ...box, width: (place.width - 4) * share, opacity: 0.3 })
      : '',
  ];
  return (
    marks.join('') + textIn(column, place, y, shownValue(column.column, value, column.format), surfaceOf(theme).text)
  );
}

/** The span of a column's numbers; bars begin at 0. */
function rangeOf(column: Shown, rows: ChartData['rows']): { low: number; high: number } {
  if (!column.showBar && !column.showColor) return { low: 0, high: 0 };
  const numbers = rows.flatMap((row) => numberValue(row[column.at]) ?? []);
  const low = Math.min(...numbers, column.showBar ? 0 : Number.POSITIVE_INFINITY);
  return { low, high: Math.max(...numbers, low) };
}

function textIn(column: Shown, { x, width }: Place, y: number, text: string, fill: string, weight?: number): string {
  const end = isNumber(column);
  const shown = fitted(text, width - 2 * PADDING, FONT_SIZE);
  return textAt(end ? x + width - PADDING : x + PADDING, y, shown, fill, { end, weight });
}

function textAt(
  x: number,
  y: number,
  text: string,
  fill: string,
  { end = false, weight }: { end?: boolean; weight?: number | undefined } = {},
): string {
  const attributes = { x, y: y + ROW / 2 + 4, fill, 'text-anchor': end ? 'end' : undefined, 'font-weight': weight };
  return element('text', attributes, escapeXml(text));
}
