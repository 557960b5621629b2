import { LABEL_SIZE } from './name-axis.ts';

interface Size {
  width: number;
  height: number;
}

export const FACET_GAP = 14;
/** The heading of a chart of a grid, and the axes beside and below all of them. */
const HEADING = LABEL_SIZE + 12;
const AXES = { width: 64, height: 44 };
/** Smaller charts show nothing; a grid of more is drawn larger and then made smaller as a whole. */
const MIN = { width: 48, height: 28 };
/** A chart is best so much wider than it is high. */
const RATIO = 1.6;

/** As many columns as make the charts of a grid largest, and their size. */
export function facetGrid(count: number, { width, height }: Size): Size & { columns: number } {
  let best = { columns: 1, width: 0, height: 0 };
  for (let columns = 1; columns <= count; columns += 1) {
    const cell = cellOf({ columns, rows: Math.ceil(count / columns) }, { width, height });
    const isLarger = Math.min(cell.width / RATIO, cell.height) > Math.min(best.width / RATIO, best.height);
    if (columns === 1 || isLarger) best = { columns, ...cell };
  }
  return best;
}

/** The size of each chart of a grid of so many. */
export function cellOf({ columns, rows }: { columns: number; rows: number }, { width, height }: Size): Size {
  return {
    width: Math.max(MIN.width, Math.floor((width - AXES.width - (columns - 1) * FACET_GAP) / columns)),
    height: Math.max(MIN.height, Math.floor((height - AXES.height - rows * HEADING - (rows - 1) * FACET_GAP) / rows)),
  };
}
