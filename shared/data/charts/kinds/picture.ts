import { d3Number } from '../../value-formats/d3-format.ts';
import { compactNumber } from '../../value-formats/declared-format.ts';
import { type ChartColumn, type ChartData, EMPTY, numberValue } from '../chart-columns.ts';
import type { ChannelName, Encoding } from '../chart-look.ts';
import { LABEL_SIZE } from '../name-axis.ts';
import { nameText, showValue } from '../show-value.ts';
import { type Attributes, element, escapeXml } from '../svg.ts';
import { cutText, textWidth } from '../text-width.ts';
import { FONT_FAMILIES, mixed, type ThemeTokens } from '../theme.ts';
import type { Size } from '../vega-lite-spec.ts';

/** What the kinds that are drawn without Vega have in common. */

export interface PictureOptions extends Size {
  theme: ThemeTokens;
  /** What the chart shows, for those who do not see it. */
  description?: string;
  /** The series that are not drawn, by their places in the legend. */
  hiddenSeries?: readonly number[];
}

/** A picture whose marks are found by their names, as in those of Vega. */
export function picture({ width, height, theme, description }: PictureOptions, ...children: string[]): string {
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'graphics-document',
      'aria-label': description,
    },
    element('g', { 'font-family': FONT_FAMILIES[theme.fonts.body], 'font-size': LABEL_SIZE }, ...children),
  );
}

/** A shape that stands for a row, or for several ones, and says its values. */
export const mark = (name: string, kind: string, label: string, row: number | undefined, attributes: Attributes) =>
  element(name, {
    ...attributes,
    role: 'graphics-symbol',
    'aria-roledescription': kind,
    'aria-label': label,
    'data-row': row,
  });

export interface TextStyle {
  fill: string;
  size?: number | undefined;
  anchor?: 'start' | 'middle' | 'end' | undefined;
  isBold?: boolean | undefined;
}

/** A text with its baseline at the place. The pointer reaches the mark below it. */
export const textAt = (x: number, y: number, text: string, { fill, size, anchor, isBold }: TextStyle): string =>
  element(
    'text',
    {
      x,
      y,
      fill,
      'font-size': size,
      'text-anchor': anchor === 'start' ? undefined : anchor,
      'font-weight': isBold ? 600 : undefined,
      'pointer-events': 'none',
    },
    escapeXml(text),
  );

/** A column of the rows for a channel. */
export interface Shown {
  at: number;
  column: ChartColumn;
  format: string | undefined;
  title: string;
}

export function shownAt(
  channel: ChannelName,
  encoding: Encoding | undefined,
  { columns }: ChartData,
): Shown | undefined {
  const definition = encoding?.[channel];
  const at = columns.findIndex(({ name }) => name === definition?.field);
  const column = columns[at];
  return column && { at, column, format: definition!.format, title: definition!.title ?? column.name };
}

export const nameIn = ({ at, column, format }: Shown, row: readonly unknown[]): string =>
  nameText(column, row[at], format) || EMPTY;

export const textIn = ({ at, column, format }: Shown, row: readonly unknown[]): string =>
  showValue(column, row[at], format);

export const numberIn = ({ at }: Shown, row: readonly unknown[]): number | null => numberValue(row[at]);

/** A number with all its digits, or a short one, or none, as there is room. Numbers are never cut. */
export function fitNumber(
  { column, format }: Pick<Shown, 'column' | 'format'>,
  value: unknown,
  width: number,
  size: number,
  font: { isMono?: boolean; isBold?: boolean } = {},
): string {
  const whole = showValue(column, value, format);
  const number = numberValue(value);
  const short = () => (number === null ? '' : compactNumber(Number(number.toPrecision(3)), column.format));
  return [() => whole, short].map((write) => write()).find((text) => textWidth(text, size, font) <= width) ?? '';
}

/** A number as labels and legends write it: short, where all its digits would be long. */
export function shortNumber({ column, format }: Pick<Shown, 'column' | 'format'>, value: number): string {
  const whole = showValue(column, Number(value.toPrecision(12)), format);
  return whole.length <= MAX_SHORT ? whole : compactNumber(Number(value.toPrecision(3)), column.format);
}

const MAX_SHORT = 7;

/** A text that is cut to the width; none where not even a few letters fit. */
export function fitText(
  text: string,
  width: number,
  size: number,
  font: { isMono?: boolean; isBold?: boolean } = {},
): string {
  if (textWidth(text, size, font) <= width) return text;
  const cut = cutText(text, width, size, font);
  return [...cut].length < 4 || textWidth(cut, size, font) > width ? '' : cut;
}

/**
 * Such as `62%`, with a decimal for shares close to none or all. No share of something is called 0, and none of less
 * than all 100.
 */
export const percentText = (share: number): string => {
  if (!Number.isFinite(share)) return '–';
  if (share > 0 && share < 0.0005) return '<0.1%';
  if (share < 1 && share >= 0.9995) return '>99.9%';
  const isSmall = share !== 0 && Math.abs(share) < 0.1;
  const isNearAll = share < 1 && share >= 0.995;
  return d3Number(isSmall || isNearAll ? '.1%' : ',.0%', share) ?? '';
};

/** The steps between two colors: 0 is the first. */
export const ramp = (first: string, second: string) => (share: number) =>
  mixed(first, second, Math.max(0, Math.min(1, share)));
