import { type ChartColumn, type ChartData, EMPTY, kindOf, numberValue } from '../charts/chart-columns.ts';
import { withLookFormats } from '../charts/look-formats.ts';
import { withPeriodGaps } from '../charts/period-gaps.ts';
import { nameText } from '../charts/show-value.ts';
import { printable } from '../charts/svg.ts';
import { digitsCode, excelNumberFormat } from '../value-formats/excel-format.ts';
import type { CardContent } from './documents.ts';

/** A chart as presentation programs have them: series of values over the same categories. */
export interface NativeChart {
  type: 'bar' | 'line' | 'area' | 'pie' | 'doughnut';
  isHorizontal: boolean;
  /** Series beside each other instead of stacked. */
  isGrouped: boolean;
  categories: string[];
  /** Null where a line has a gap. */
  series: { name: string; values: (number | null)[] }[];
  /** Of the values, as spreadsheets write it. */
  formatCode: string;
}

const MAX_CATEGORIES = 200;
const MAX_SERIES = 24;
const KINDS: Readonly<Record<string, NativeChart['type']>> = { bar: 'bar', line: 'line', area: 'area', arc: 'pie' };

/** The chart as a native one; undefined if it is of another kind, or has too many parts. */
export function nativeChart({
  look,
  data,
}: Pick<Extract<CardContent, { kind: 'chart' }>, 'look' | 'data'>): NativeChart | undefined {
  const { mark, encoding = {}, layer, config } = look;
  const type = KINDS[mark.type];
  if (layer || config?.lines || !type || encoding.row || encoding.column || data.rows.length === 0) return undefined;
  const at = (field: string | undefined) => data.columns.findIndex(({ name }) => name === field);
  const [x, y, color, theta, offset] = [encoding.x, encoding.y, encoding.color, encoding.theta, encoding.xOffset].map(
    (channel) => at(channel?.field),
  ) as [number, number, number, number, number];
  const isHorizontal = type === 'bar' && isNumber(data, x) && !isNumber(data, y);
  const [category, value] = type === 'pie' ? [color, theta] : isHorizontal ? [y, x] : [x, y];
  if (category! < 0 || isNumber(data, category!) || !isNumber(data, value!)) return undefined;
  const split = type === 'pie' ? -1 : color >= 0 ? color : offset;
  if (isNumber(data, split)) return undefined;
  const made = seriesOf(type === 'line' ? withPeriodGaps(look, data) : data, {
    category: category!,
    value: value!,
    split,
    hasGaps: type === 'line',
  });
  if (!made || made.series.length > MAX_SERIES || made.categories.length > MAX_CATEGORIES) return undefined;
  const isDonut = type === 'pie' && (mark.innerRadius ?? 0) > 0;
  const [column] = withLookFormats([data.columns[value!]!], look);
  const formatCode = codeOf(column!, made.series);
  return { type: isDonut ? 'doughnut' : type, isHorizontal, isGrouped: offset >= 0, formatCode, ...made };
}

/** Programs write numbers of more than 11 digits with an exponent, unless a format says otherwise. */
const codeOf = (column: ChartColumn, series: NativeChart['series']): string =>
  excelNumberFormat(column) ??
  (series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)))
    ? digitsCode(0)
    : 'General');

const isNumber = ({ columns }: ChartData, at: number): boolean => at >= 0 && kindOf(columns[at]!) === 'number';

/**
 * Values of the same category and series are added, as they are stacked in a drawing. Where a series has none, nothing
 * is stacked; a line has a gap, because it would fall to zero.
 */
function seriesOf(
  { columns, rows }: ChartData,
  { category, value, split, hasGaps }: { category: number; value: number; split: number; hasGaps: boolean },
): Pick<NativeChart, 'categories' | 'series'> | undefined {
  const label = (at: number, each: unknown) => printable(nameText(columns[at]!, each)) || EMPTY;
  const categories = new Map<string, number>();
  const series = new Map<string, number[]>();
  for (const row of rows) {
    const number = numberValue(row[value]);
    if (number === null && !hasGaps) continue;
    const place = label(category, row[category]);
    if (!categories.has(place)) categories.set(place, categories.size);
    if (number === null) continue;
    const name = split < 0 || split === category ? printable(columns[value]!.name) : label(split, row[split]);
    const values = series.get(name) ?? [];
    series.set(name, values);
    const index = categories.get(place)!;
    values[index] = (values[index] ?? 0) + number;
  }
  if (series.size === 0) return undefined;
  return {
    categories: [...categories.keys()],
    series: [...series].map(([name, values]) => ({
      name,
      values: Array.from({ length: categories.size }, (_, at) => values[at] ?? (hasGaps ? null : 0)),
    })),
  };
}
