import { textWidth } from './text-width.ts';

/** The texts of a column, which decide how wide it is. */
export interface ColumnText {
  heading: string;
  values: readonly string[];
  /** Numbers and dates are never cut; texts may be. */
  isWhole: boolean;
  isNumber?: boolean;
  isHeadingWhole?: boolean;
  /** What the chart wants, with padding. */
  width?: number | undefined;
  /** What stands before the values. */
  before?: number;
  /** Whether some of the values are bold. */
  isBold?: boolean;
}

export interface TableMeasure {
  width: number;
  /** What texts have where there is enough room. */
  fontSize: number;
  /** On each side of a column. */
  padding: number;
  minColumn: number;
  isMono?: boolean;
}

export interface FittedColumns {
  fontSize: number;
  /** Of the columns that fit, from the left: at least one. */
  places: { x: number; width: number }[];
}

/** Smaller texts are hard to read: columns are left out instead. */
const MIN_SCALE = 0.75;
/** Of a heading above numbers, where there is room; a longer one is cut, if need be. */
const MAX_HEADING = 10;
/** Of texts, which are cut where there is not enough room. */
const MAX_TEXT = 40;

interface Needed {
  /** Without padding, at the usual size of the font. */
  least: number;
  wanted: number;
}

/**
 * Columns as wide as their longest text wants, in proportion. Where there is not enough room, first texts are cut, then
 * all are written smaller, then the last columns are left out. One number that is wider than all the room is written as
 * small as it has to be.
 */
export function fitColumns(columns: readonly ColumnText[], measure: TableMeasure): FittedColumns {
  const withHeadings = columns.map((column) => neededBy(column, measure, MAX_HEADING));
  const isRoomy = leastOf(withHeadings, 1, measure) <= measure.width;
  const needed = isRoomy ? withHeadings : columns.map((column) => neededBy(column, measure, 0));
  const atScale = (scale: number) => (count: number) =>
    leastOf(needed.slice(0, count), scale, measure) <= measure.width;
  let count = columns.length;
  if (!atScale(1)(count)) while (count > 1 && !atScale(MIN_SCALE)(count)) count -= 1;
  const kept = needed.slice(0, count);
  const scale = scaleOf(kept, measure);
  return { fontSize: measure.fontSize * scale, places: placed(widthsOf(kept, scale, measure)) };
}

function neededBy(
  { heading, values, isWhole, isHeadingWhole = false, isBold = false, width, before = 0 }: ColumnText,
  { fontSize, isMono = false, minColumn, padding }: TableMeasure,
  headingLength: number,
): Needed {
  const font = { isMono, isBold };
  const bold = { isMono, isBold: true };
  const short = isHeadingWhole ? heading : isWhole ? heading.slice(0, headingLength) : '';
  const longest =
    before + values.reduce((most, text) => Math.max(most, textWidth(cut(text, isWhole), fontSize, font)), 0);
  const own = Math.max(longest, textWidth(cut(heading, false), fontSize, bold));
  const wanted = width === undefined ? own : width - 2 * padding;
  const readable = Math.min(wanted, minColumn - 2 * padding);
  const least = Math.max(isWhole ? longest : 0, textWidth(short, fontSize, bold));
  return { wanted: Math.max(wanted, least), least: Math.max(least, readable) };
}

const cut = (text: string, isWhole: boolean): string => (isWhole ? text : text.slice(0, MAX_TEXT));

const leastOf = (needed: readonly Needed[], scale: number, { minColumn, padding }: TableMeasure): number =>
  sumOf(needed.map(({ least }) => Math.max(minColumn, least * scale + 2 * padding)));

function scaleOf(needed: readonly Needed[], measure: TableMeasure): number {
  if (leastOf(needed, 1, measure) <= measure.width) return 1;
  let [low, high] = [0, 1];
  for (let step = 0; step < 12; step += 1) {
    const middle = (low + high) / 2;
    if (leastOf(needed, middle, measure) <= measure.width) low = middle;
    else high = middle;
  }
  // A column narrower than any may be: its number still has to fit.
  const alone = (measure.width - 2 * measure.padding) / Math.max(...needed.map(({ least }) => least));
  return low > 0 ? low : Math.max(0.1, Math.min(1, alone));
}

/** What is left beyond the least is shared in proportion to what columns want more. */
function widthsOf(needed: readonly Needed[], scale: number, { width, minColumn, padding }: TableMeasure): number[] {
  const least = needed.map((each) => Math.max(minColumn, each.least * scale + 2 * padding));
  const wanted = needed.map((each, at) => Math.max(least[at]!, each.wanted * scale + 2 * padding));
  const room = width - sumOf(wanted);
  if (room >= 0) return wanted.map((each) => (each * width) / sumOf(wanted));
  const spare = width - sumOf(least);
  const more = sumOf(wanted) - sumOf(least);
  return least.map((each, at) => each + (more > 0 ? (Math.max(0, spare) * (wanted[at]! - each)) / more : 0));
}

function placed(widths: readonly number[]): FittedColumns['places'] {
  let x = 0;
  return widths.map((width) => {
    const place = { x, width };
    x += width;
    return place;
  });
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);
