import { type ChartData, numberValue } from './chart-columns.ts';
import type { Encoding, Mark } from './chart-look.ts';
import { LABEL_SIZE } from './name-axis.ts';
import { showValue } from './show-value.ts';
import { textWidth } from './text-width.ts';

/** Slices of less than this share of all are drawn so wide: others would be no picture of an angle. */
const MIN_SLICE = 1 / 2000;
export const SLICE = 'slice';

/** Whether a slice has room for its value, which would otherwise be on another one. */
export const FITS = 'fits';

export interface Slice {
  [SLICE]: number;
  [FITS]: boolean;
}

/** The angles of the slices of a pie chart, by their rows. */
export function slicesOf(
  { mark, encoding: { theta } }: { mark: Mark; encoding: Encoding },
  { columns, rows }: ChartData,
  plot: { width: number; height: number },
): Slice[] {
  const at = columns.findIndex(({ name }) => name === theta?.field);
  const values = rows.map((row) => numberValue(row[at]) ?? 0);
  const total = values.reduce((sum, value) => sum + value, 0);
  const half = Math.min(plot.width, plot.height) / 2;
  const { innerRadius = 0 } = mark;
  const middle = (half * (1 + (innerRadius || 0.44))) / 2;
  return values.map((value, index) => {
    const text = columns[at] ? textWidth(showValue(columns[at], rows[index]![at], theta?.format), LABEL_SIZE) : 0;
    const arc = (2 * Math.PI * middle * value) / (total || 1);
    const fits = arc >= LABEL_SIZE + 3 && text <= Math.max(half * (1 - innerRadius), arc * 0.8);
    return { [SLICE]: value > 0 ? Math.max(value, total * MIN_SLICE) : 0, [FITS]: fits };
  });
}
