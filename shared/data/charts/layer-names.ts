import { type ChartColumn, kindOf } from './chart-columns.ts';
import type { Encoding, MarkType } from './chart-look.ts';

interface Layered {
  mark: { type: MarkType };
  encoding: Encoding;
}

const NAMED: ReadonlySet<MarkType> = new Set(['bar', 'line', 'area', 'point', 'rule']);

/**
 * What each layer shows, for the legend of a chart whose layers have a color each: the names of their measures.
 * Undefined for layers that a legend could not tell apart.
 */
export function layerNames(layers: readonly Layered[], columns: readonly ChartColumn[]): string[] | undefined {
  if (layers.length < 2) return undefined;
  const names = layers.map(({ mark, encoding: { x, y, color } }) => {
    const measured = [y, x].find((channel) => {
      const column = columns.find(({ name }) => name === channel?.field);
      return column && kindOf(column) === 'number' && column.binWidth === undefined;
    });
    return color || !NAMED.has(mark.type) ? undefined : measured && (measured.title ?? measured.field);
  });
  const found = names.filter((name) => name !== undefined);
  return new Set(found).size === layers.length ? found : undefined;
}
