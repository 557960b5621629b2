import { LABEL_SIZE } from './name-axis.ts';
import { textWidth } from './text-width.ts';

/** A legend takes at most this share of the picture, in the direction in which it is beside the plot. */
export const LEGEND_SHARE = 0.25;
const SYMBOL = 26;
const LINE = LABEL_SIZE + 6;
const TITLE = 20;
/** Between the legend and the plot. */
const OFFSET = 18;
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

interface Size {
  width: number;
  height: number;
}

/**
 * Where a legend of these names has room: to the right of a wide plot, otherwise below it, in as many columns as fit.
 * Names for which there is no room are counted in the last line.
 */
export function legendRoom(names: readonly string[], size: Size, { orient, title }: { orient?: Orient | undefined; title: string | null }): LegendRoom {
  const longest = names.reduce((width, name) => Math.max(width, textWidth(name, LABEL_SIZE)), 0);
  const side = size.width * LEGEND_SHARE - SYMBOL - OFFSET;
  const lines = Math.max(1, Math.floor((size.height - (title ? TITLE : 0)) / LINE));
  const isSide = orient
    ? orient === 'left' || orient === 'right'
    : size.width >= MIN_WIDTH && longest <= side && names.length <= lines;
  if (isSide) {
    const limit = Math.max(MIN_LABEL, side);
    return {
      orient: orient ?? 'right',
      taken: { width: Math.min(longest, limit) + SYMBOL + OFFSET, height: 0 },
      legend: { orient: orient ?? 'right', labelLimit: limit, titleLimit: limit + SYMBOL, symbolLimit: lines },
    };
  }
  const entry = Math.min(longest, Math.max(MIN_LABEL, size.width - SYMBOL - OFFSET)) + SYMBOL;
  const columns = Math.max(1, Math.min(names.length, Math.floor((size.width - OFFSET) / entry)));
  const most = Math.max(1, Math.floor((size.height * LEGEND_SHARE - OFFSET / 2) / LINE));
  const rows = Math.min(most, Math.ceil(names.length / columns));
  return {
    orient: orient ?? 'bottom',
    taken: { width: 0, height: rows * LINE + OFFSET / 2 },
    legend: {
      orient: orient ?? 'bottom',
      direction: 'horizontal',
      columns,
      // The names of the entries explain themselves, and the title would take a line from the plot.
      ...(size.height < 2 * size.width && { title: null }),
      labelLimit: entry - SYMBOL,
      symbolLimit: rows * columns,
      offset: OFFSET / 2,
    },
  };
}

/** Where the scale of the colors of numbers has room. */
export function rampRoom(size: Size, orient: Orient | undefined): LegendRoom {
  const isSide = orient ? orient === 'left' || orient === 'right' : size.width >= MIN_WIDTH;
  const where = orient ?? (isSide ? 'right' : 'bottom');
  const length = isSide ? Math.max(30, Math.min(160, size.height - 2 * TITLE)) : Math.max(60, Math.min(200, size.width * 0.7));
  return {
    orient: where,
    taken: isSide ? { width: 70, height: 0 } : { width: 0, height: 46 },
    legend: {
      orient: where,
      ...(isSide ? {} : { direction: 'horizontal' }),
      gradientLength: length,
      titleLimit: isSide ? size.width * LEGEND_SHARE : size.width - OFFSET,
    },
  };
}
