import { type ChartColumn, kindOf } from './chart-columns.ts';
import type { Encoding } from './chart-look.ts';

/** The axis that goals and other values are drawn on: that of the numbers. */
export interface LineAxis {
  layer: number;
  channel: 'x' | 'y';
  column: ChartColumn;
}

/** Undefined for charts without an axis of numbers. */
export function lineAxis(
  layers: readonly { encoding: Encoding }[],
  columns: readonly ChartColumn[],
): LineAxis | undefined {
  for (const [layer, { encoding }] of layers.entries())
    for (const channel of ['y', 'x'] as const) {
      const { field, type = 'quantitative' } = encoding[channel] ?? {};
      const column = columns.find(({ name }) => name === field);
      const isMeasured = column && kindOf(column) === 'number' && column.binWidth === undefined;
      if (isMeasured && type === 'quantitative') return { layer, channel, column };
    }
  return undefined;
}
