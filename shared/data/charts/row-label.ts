import { type ChartColumn, EMPTY } from './chart-columns.ts';
import type { Encoding, MarkType } from './chart-look.ts';
import { nameText, rangeText, showValue } from './show-value.ts';

type Shown = NonNullable<Encoding['tooltip']>[number];

/** What the label of a mark says of a column. */
export interface Labelled extends Pick<Shown, 'field' | 'type' | 'title' | 'format'> {
  isRange?: boolean;
}

/** Channels that show no value of their own, or that have a heading beside the chart. */
const UNNAMED: ReadonlySet<string> = new Set(['tooltip', 'row', 'column', 'order']);
const OF_TIMES = /%[A-Za-z-]/;
/** Marks that show ranges of numbers as such. */
const RANGES: ReadonlySet<MarkType> = new Set(['bar', 'rect']);

/** What names a mark: its tooltip, or its channels in their order, each column once. */
export function labelledBy(mark: MarkType, encoding: Encoding): Labelled[] {
  if (encoding.tooltip?.length) return encoding.tooltip;
  const channels = Object.entries(encoding).filter(([name]) => !UNNAMED.has(name)) as [string, Labelled][];
  const isFirst = ([, { field }]: [string, Labelled], at: number) =>
    channels.findIndex(([, each]) => each.field === field) === at;
  return channels.filter(isFirst).map(([name, { field, type, title, format }]) => ({
    ...{ field, title },
    ...(type !== undefined && { type }),
    // An axis may show the month alone; a mark says which year it is of.
    ...(format !== undefined && !OF_TIMES.test(format) && { format }),
    isRange: RANGES.has(mark) && (name === 'x' || name === 'y'),
  }));
}

/** The values of a row as its mark names them, such as `Region: North; Sales: 12`. */
export const rowLabel = (
  shown: readonly Labelled[],
  columns: readonly ChartColumn[],
  row: readonly unknown[],
): string =>
  shown
    .flatMap(({ field, type, title, format, isRange }) => {
      const at = columns.findIndex(({ name }) => name === field);
      if (at < 0) return [];
      const text = isRange ? rangeText : type === 'nominal' || type === 'ordinal' ? nameText : showValue;
      return [`${title ?? field}: ${text(columns[at]!, row[at], format) || EMPTY}`];
    })
    .join('; ');
