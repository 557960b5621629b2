import { type ChartData, kindOf, numberValue } from './chart-columns.ts';
import type { Mark } from './chart-look.ts';
import { showValue } from './show-value.ts';
import { type Shown, showColumns, titleOf } from './shown-columns.ts';
import { element, escapeXml, svgDocument } from './svg.ts';
import { type ColumnText, type FittedColumns, fitColumns } from './table-columns.ts';
import { barOf, ruleFor, scaleColor, spanOf, type TableRule } from './table-rules.ts';
import { cutText, textWidth } from './text-width.ts';
import { FONT_FAMILIES, mixed, surfaceOf, type ThemeTokens } from './theme.ts';
import { withTotals } from './total-rows.ts';
import type { Size } from './vega-lite-spec.ts';

const ROW = 24;
const PADDING = 8;
const FONT_SIZE = 12;
/** Columns for which there is no room are left out, rather than all made too narrow to read. */
const MIN_COLUMN = 56;
export const TABLE_MEASURE = { fontSize: FONT_SIZE, padding: PADDING, minColumn: MIN_COLUMN };

/** Rows of a table that continues on several pages. */
export interface TableWindow {
  from: number;
  count: number;
  /** Of the columns of all pages; by default, of those that these rows need. */
  fit?: FittedColumns;
  /** Whether what does not fit follows on another page. */
  continues: boolean;
}

/**
 * As many rows and columns as there is room for; the last line says how many are not shown. Numbers and dates are never
 * cut.
 */
export function drawTable(
  given: Mark['columns'],
  source: ChartData & { columnsLeftOut?: number },
  {
    width,
    height,
    theme,
    description,
    window,
  }: Size & { theme: ThemeTokens; description?: string; window?: TableWindow },
): string {
  const data = withTotals(source);
  const wanted = showColumns(given, data.columns);
  const surface = surfaceOf(theme);
  const { rows, fit, columnsLeftOut } = window
    ? windowLayout(wanted, data, { width, height, theme }, window)
    : tableLayout(wanted, data, { width, height, theme });
  const columns = wanted.slice(0, fit.places.length);
  const style = { fontSize: fit.fontSize, isMono: theme.fonts.body === 'mono' };
  // Only files have cells for assistive programs; pages have tables of HTML.
  const named = (row: number, at: number, drawing: string) =>
    window ? element('g', { [TABLE_CELL]: `${row} ${at}` }, drawing) : drawing;
  const isTotal = (index: number) => data.totalsAt?.has((window?.from ?? 0) + index) ?? false;
  const ranged = (window ? data.rows : rows).filter((_, at) => !(window ? data.totalsAt?.has(at) : isTotal(at)));
  const drawn = rows.flatMap((row, index) =>
    columns.map((column, at) => {
      const y = (index + 1) * ROW;
      const place = fit.places[at]!;
      if (isTotal(index)) return named(index + 1, at, totalCell(column, row[column.at], { place, y, theme, style }));
      const ranges = rangeOf(column, ranged);
      return named(index + 1, at, cell(column, row[column.at], { place, y, ranges, theme, style }));
    }),
  );
  const lines = rows.flatMap((_, index) =>
    isTotal(index)
      ? [element('line', { x1: 0, x2: width, y1: (index + 1) * ROW, y2: (index + 1) * ROW, stroke: surface.line })]
      : [],
  );
  const hidden = data.rows.length - (window?.from ?? 0) - rows.length;
  const notes = window?.continues ? ['Continued below'] : moreOf(hidden, columnsLeftOut);
  // A count that is cut is another one: it is written smaller.
  const more = notes.map((text) => {
    const needed = textWidth(text, FONT_SIZE, { isMono: style.isMono });
    const fontSize = FONT_SIZE * Math.min(1, (width - PADDING) / needed);
    return element('g', { 'font-size': fontSize }, textAt(PADDING / 2, (rows.length + 1) * ROW, text, surface.muted));
  });
  return svgDocument(
    {
      width,
      height,
      description: description ?? `A table of ${data.rows.length} rows: ${columns.map(titleOf).join(', ')}`,
    },
    element(
      'g',
      { 'font-family': FONT_FAMILIES[theme.fonts.body], 'font-size': FONT_SIZE },
      element(
        'g',
        { 'font-size': fit.fontSize },
        ...columns.map((column, at) =>
          named(
            0,
            at,
            textIn(titleOf(column), {
              place: fit.places[at]!,
              y: 0,
              fill: surface.muted,
              isEnd: isNumber(column),
              isWhole: isHeadingWhole(column),
              style: { ...style, isBold: true },
            }),
          ),
        ),
      ),
      element('line', { x1: 0, x2: width, y1: ROW, y2: ROW, stroke: surface.line }),
      ...lines,
      element('g', { 'font-size': fit.fontSize }, ...drawn),
      ...more,
    ),
  );
}

interface TableLayout {
  rows: ChartData['rows'];
  fit: FittedColumns;
  columnsLeftOut: number;
}

/** The attribute that names the row and the column of a cell; the headings are the row 0. */
export const TABLE_CELL = 'data-cell';

/** How many rows a table of the height has room for; one that has a note has one row less. */
export const tableRows = (height: number): number => Math.max(1, Math.floor(height / ROW) - 1);
/** How high a table with so many lines below its headings is. */
export const tableHeight = (lines: number): number => (lines + 1) * ROW;

function windowLayout(
  wanted: readonly Shown[],
  data: ChartData & { columnsLeftOut?: number },
  size: Size & { theme: ThemeTokens },
  { from, count, fit }: TableWindow,
): TableLayout {
  const rows = data.rows.slice(from, from + count);
  const found = fit ?? tableFit(wanted, rows, { ...size, hasTotals: data.totalsAt !== undefined });
  return { rows, fit: found, columnsLeftOut: wanted.length - found.places.length + (data.columnsLeftOut ?? 0) };
}

/** How wide the columns of a table with the rows are. */
export const tableFit = (
  wanted: readonly Shown[],
  rows: ChartData['rows'],
  { width, theme, hasTotals }: Pick<Size, 'width'> & { theme: ThemeTokens; hasTotals?: boolean },
): FittedColumns =>
  fitColumns(columnTexts(wanted, rows, hasTotals), { ...TABLE_MEASURE, width, isMono: theme.fonts.body === 'mono' });

/** The rows and columns for which there is room, and how wide the columns are. */
export function tableLayout(
  wanted: readonly Shown[],
  data: ChartData & { columnsLeftOut?: number },
  { width, height, theme }: Size & { theme: ThemeTokens },
): TableLayout {
  const lines = tableRows(height);
  const layoutOf = (count: number): TableLayout => {
    const rows = data.rows.slice(0, count);
    const fit = tableFit(wanted, rows, { width, theme, hasTotals: data.totalsAt !== undefined });
    return { rows, fit, columnsLeftOut: wanted.length - fit.places.length + (data.columnsLeftOut ?? 0) };
  };
  const whole = layoutOf(lines);
  return data.rows.length > lines || whole.columnsLeftOut > 0 ? layoutOf(lines - 1) : whole;
}

/** What decides how wide the columns are. */
export const columnTexts = (columns: readonly Shown[], rows: ChartData['rows'], hasTotals = false): ColumnText[] =>
  columns.map((column) => ({
    heading: titleOf(column),
    values: rows.map((row) => showValue(column.column, row[column.at], column.format)),
    isWhole: kindOf(column.column) !== 'other',
    isNumber: isNumber(column),
    width: column.width,
    before: hasIcons(column) ? ICON : 0,
    isHeadingWhole: isHeadingWhole(column),
    isBold: hasTotals,
  }));

const hasIcons = ({ rules }: Shown): boolean => rules?.some(({ icon }) => icon !== undefined) ?? false;

function moreOf(rows: number, columns: number): string[] {
  const counted = (count: number, word: string) =>
    count === 0 ? [] : [`${count} more ${word}${count === 1 ? '' : 's'}`];
  const parts = [...counted(rows, 'row'), ...counted(columns, 'column')];
  return parts.length === 0 ? [] : [parts.join(', ')];
}

/** Headings that are numbers or dates, or the groups of a pivoted answer. */
export const isHeadingWhole = ({ column }: Shown): boolean => column.isNameWhole ?? column.pivot !== undefined;

const isNumber = ({ column }: Shown): boolean => kindOf(column) === 'number';

interface CellOptions {
  place: Place;
  style: TextStyle;
  y: number;
  ranges: { low: number; high: number };
  theme: ThemeTokens;
}

function cell(column: Shown, value: unknown, options: CellOptions): string {
  const {
    place,
    y,
    ranges: { low, high },
    theme,
    style,
  } = options;
  const number = numberValue(value);
  const share = number === null || high === low ? 0 : (number - low) / (high - low);
  const bar = barOf(number ?? 0, { low, high });
  const fill = theme.palette[0]!;
  const box = { x: place.x + 2, y: y + 3, height: ROW - 6, rx: 2, fill };
  const rule = ruleFor(column.rules, value);
  const { colors } = column;
  const fills = (color: string) =>
    element('rect', { ...box, width: place.width - 4, fill: ruleBackground(color, theme) });
  const marks = [
    column.showColor && number !== null
      ? colors
        ? fills(scaleColor(colors, share))
        : element('rect', { ...box, width: place.width - 4, opacity: 0.08 + share * 0.5 })
      : '',
    rule?.color !== undefined && rule.icon === undefined ? fills(rule.color) : '',
    rule?.icon === undefined
      ? ''
      : iconAt(rule.icon, place.x + PADDING, y + ROW / 2, rule.color ?? surfaceOf(theme).muted),
    column.showBar && number !== null
      ? element('rect', {
          ...box,
          x: box.x + (place.width - 4) * bar.start,
          width: (place.width - 4) * bar.length,
          opacity: 0.3,
        })
      : '',
  ];
  const text = showValue(column.column, value, column.format);
  const isWhole = kindOf(column.column) !== 'other';
  const before = hasIcons(column) ? ICON : 0;
  const rest = { x: place.x + before, width: place.width - before };
  const written = { place: rest, y, fill: surfaceOf(theme).text, isEnd: isNumber(column), isWhole, style };
  return marks.join('') + textIn(text, written);
}

/** The background of a cell that meets a rule, on which text is still read. */
const ruleBackground = (color: string, theme: ThemeTokens): string =>
  mixed(surfaceOf(theme).background, color, theme.dark ? 0.38 : 0.24);

/** Shapes of 8 by 8 pixels around a place: signs are not in every font. */
const ICON_SHAPES: Readonly<Record<NonNullable<TableRule['icon']>, string>> = {
  up: 'M-4,4L0,-4L4,4Z',
  down: 'M-4,-4L4,-4L0,4Z',
  right: 'M-4,-4L4,0L-4,4Z',
  dot: 'M-4,0A4,4,0,1,1,4,0A4,4,0,1,1,-4,0Z',
};
/** What an icon takes, with the room after it. */
const ICON = 14;

const iconAt = (icon: NonNullable<TableRule['icon']>, x: number, y: number, fill: string): string =>
  element('path', { d: ICON_SHAPES[icon], transform: `translate(${x + 4},${y})`, fill });

/** Totals have no bars and colors: next to them, those of the rows would say nothing. */
function totalCell(column: Shown, value: unknown, { place, y, theme, style }: Omit<CellOptions, 'ranges'>): string {
  const text = showValue(column.column, value, column.format);
  const isWhole = kindOf(column.column) !== 'other';
  const before = hasIcons(column) ? ICON : 0;
  const rest = { x: place.x + before, width: place.width - before };
  const written = { place: rest, y, fill: surfaceOf(theme).text, isEnd: isNumber(column), isWhole };
  return textIn(text, { ...written, style: { ...style, isBold: true } });
}

/** The span of a column's numbers; bars begin at 0. */
function rangeOf(column: Shown, rows: ChartData['rows']): { low: number; high: number } {
  if (!column.showBar && !column.showColor) return { low: 0, high: 0 };
  const numbers = rows.flatMap((row) => numberValue(row[column.at]) ?? []);
  return spanOf(numbers, column.showBar === true);
}

interface Place {
  x: number;
  width: number;
}

interface TextStyle {
  fontSize: number;
  isMono: boolean;
  isBold?: boolean;
}

interface Written {
  place: Place;
  y: number;
  fill: string;
  isEnd: boolean;
  /** Numbers and dates are never cut. */
  isWhole?: boolean;
  style: TextStyle;
}

function textIn(text: string, { place: { x, width }, y, fill, isEnd, isWhole = false, style }: Written): string {
  const shown = isWhole ? text : cutText(text, width - 2 * PADDING, style.fontSize, style);
  return textAt(isEnd ? x + width - PADDING : x + PADDING, y, shown, fill, {
    end: isEnd,
    weight: style.isBold ? 600 : undefined,
  });
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
