import { LABEL_SIZE } from './name-axis.ts';
import { textWidth } from './text-width.ts';

/** A legend takes at most this share of the picture, in the direction in which it is beside the plot. */
export const LEGEND_SHARE = 0.25;
const SYMBOL = 18;
/** Of a line of a legend; symbols of lines are larger. */
const LINE = { ofAreas: LABEL_SIZE + 5, ofLines: LABEL_SIZE + 8 };
const TITLE = 20;
/** Between the legend and the plot. */
const OFFSET = 12;
/** Narrower pictures have no room to the right of their plot. */
const MIN_WIDTH = 320;
const MIN_LABEL = 24;

export type Orient = 'left' | 'right' | 'top' | 'bottom';

export interface LegendRoom {
  orient: Orient;
  /** What the legend takes from the plot, in pixels. */
  taken: { width: number; height: number };
  /** As Vega-Lite takes it. */
  legend: Record<string, unknown>;
}

interface LegendShape {
  orient?: Orient | undefined;
  title: string | null;
  /** What the labels beside the plot take: a legend below it begins where the plot does. */
  left: number;
  isOfLines: boolean;
}

interface Size {
  width: number;
  height: number;
}

/**
 * Where a legend of these names has room: to the right of a wide plot, otherwise below it, in as many columns as fit.
 * Names for which there is no room are counted in the last line.
 */
export function legendRoom(
  names: readonly string[],
  size: Size,
  { orient, title, left, isOfLines }: LegendShape,
): LegendRoom {
  const longest = names.reduce((width, name) => Math.max(width, textWidth(name, LABEL_SIZE)), 0) + 1;
  const line = isOfLines ? LINE.ofLines : LINE.ofAreas;
  const side = size.width * LEGEND_SHARE - SYMBOL - OFFSET;
  const lines = Math.max(1, Math.floor((size.height - (title === null ? 0 : TITLE)) / line));
  const below = roomBelow(names, longest, { width: size.width - left, height: size.height }, line);
  const hasSide = size.width >= MIN_WIDTH && names.length <= lines;
  const isSide = orient
    ? orient === 'left' || orient === 'right'
    : hasSide && (longest <= side || below.isCut || names.length > below.columns * below.rows);
  if (isSide) {
    const limit = Math.max(MIN_LABEL, side);
    return {
      orient: orient ?? 'right',
      taken: { width: Math.min(longest, limit) + SYMBOL + OFFSET, height: 0 },
      legend: {
        orient: orient ?? 'right',
        labelLimit: limit,
        titleLimit: limit + SYMBOL,
        symbolLimit: lines,
        offset: OFFSET,
      },
    };
  }
  return {
    orient: orient ?? 'bottom',
    taken: { width: 0, height: below.rows * line + OFFSET },
    legend: {
      orient: orient ?? 'bottom',
      direction: 'horizontal',
      columns: below.columns,
      // The names of the entries explain themselves, and the title would take a line from the plot.
      title: null,
      labelLimit: below.limit,
      symbolLimit: below.rows * below.columns,
      offset: OFFSET / 2,
      columnPadding: OFFSET,
    },
  };
}

/** As many columns as have room for the longest name, or two of cut ones; and as many rows as the share allows. */
function roomBelow(names: readonly string[], longest: number, { width, height }: Size, line: number) {
  const whole = Math.floor(width / (longest + SYMBOL + OFFSET));
  const most = Math.max(1, Math.floor((height * LEGEND_SHARE - OFFSET) / line));
  const isCut = whole < 1 || Math.ceil(names.length / whole) > most;
  // Cut names are better than missing ones.
  const wanted = isCut
    ? Math.max(whole, Math.min(Math.ceil(names.length / most), Math.floor(width / (SYMBOL + OFFSET + 2 * MIN_LABEL))))
    : whole;
  const columns = Math.max(1, Math.min(names.length, wanted));
  const limit = Math.min(longest, width / columns - SYMBOL - OFFSET);
  return { columns, rows: Math.min(most, Math.ceil(names.length / columns)), limit, isCut };
}

/** Where the scale of the colors of numbers has room. */
export function rampRoom(size: Size, orient: Orient | undefined): LegendRoom {
  const isSide = orient ? orient === 'left' || orient === 'right' : size.width >= MIN_WIDTH;
  const hasTitle = isSide || size.height >= 4 * 62;
  const where = orient ?? (isSide ? 'right' : 'bottom');
  const length = isSide
    ? Math.max(30, Math.min(160, size.height - 2 * TITLE))
    : Math.max(60, Math.min(200, size.width * 0.5));
  return {
    orient: where,
    taken: isSide ? { width: 70, height: 0 } : { width: 0, height: hasTitle ? 62 : 46 },
    legend: {
      orient: where,
      ...(isSide ? {} : { direction: 'horizontal' }),
      gradientLength: length,
      ...(!hasTitle && { title: null }),
      titleLimit: isSide ? size.width * LEGEND_SHARE : size.width - OFFSET,
    },
  };
}
