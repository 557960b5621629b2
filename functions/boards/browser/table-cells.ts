import { type ChartColumn, kindOf, numberValue } from '../../../shared/data/charts/chart-columns.ts';
import type { Mark } from '../../../shared/data/charts/chart-look.ts';
import { safeAddress } from '../../../shared/data/charts/safe-address.ts';
import { showValue } from '../../../shared/data/charts/show-value.ts';
import { showColumns } from '../../../shared/data/charts/shown-columns.ts';
import { barOf, ruleFor, scaleColor, spanOf } from '../../../shared/data/charts/table-rules.ts';
import { el } from './dom.ts';

export type TableColumn = NonNullable<Mark['columns']>[number];

/** A column of a table on a page, with its place in the rows and the span of its numbers. */
export interface ShownColumn extends Omit<TableColumn, 'field'> {
  at: number;
  column: ChartColumn;
  low: number;
  high: number;
  /** Where the addresses of its links are. */
  linkAt: number;
}

/** The columns of the chart, or all columns. */
export function shownColumns(
  chosen: readonly TableColumn[] | undefined,
  { columns, rows }: { columns: readonly ChartColumn[]; rows: readonly unknown[][] },
): ShownColumn[] {
  const placeOf = (name: string | undefined) => columns.findIndex((column) => column.name === name);
  return showColumns(chosen, columns).map((each) => {
    const { at } = each;
    const numbers = each.showBar || each.showColor ? rows.flatMap((row) => numberValue(row[at]) ?? []) : [];
    return { ...each, ...spanOf(numbers, each.showBar === true), linkAt: placeOf(each.link?.field) };
  });
}

/** Numbers and dates are never broken. */
export const classOf = (column: ChartColumn): string | undefined =>
  ({ number: 'number', time: 'date', other: undefined })[kindOf(column)];

const ICONS = { up: '▲', down: '▼', right: '▶', dot: '●' } as const;

export function cellOf(shown: ShownColumn, row: readonly unknown[]): HTMLElement {
  const { column, at, format, wrap, width } = shown;
  const text = showValue(column, row[at], format);
  const address = safeAddress(row[shown.linkAt]);
  const content = address ? el('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, text) : text;
  const made = el('td', { class: classOf(column) }, content);
  if (wrap === false) {
    made.classList.add('one-line');
    made.title = text;
  }
  if (width !== undefined) made.style.maxWidth = `${width}px`;
  shade(made, shown, row[at]);
  const rule = ruleFor(shown.rules, row[at]);
  if (rule?.color !== undefined && rule.icon === undefined) fill(made, rule.color);
  if (rule?.icon !== undefined) {
    const icon = el('span', { class: 'icon', 'aria-hidden': 'true' }, ICONS[rule.icon]);
    if (rule.color !== undefined) icon.style.color = rule.color;
    made.prepend(icon);
  }
  return made;
}

/** Totals have no bars, colors and links: next to them, those of the rows would say nothing. */
export const totalCellOf = ({ column, at, format }: ShownColumn, row: readonly unknown[]): HTMLElement =>
  el('td', { class: classOf(column) }, showValue(column, row[at], format));

/** A bar, or the color of the number on a scale. */
function shade(made: HTMLElement, { showBar, showColor, colors, low, high }: ShownColumn, value: unknown) {
  const number = numberValue(value);
  if (!(showBar || showColor) || number === null) return;
  const share = high === low ? 0 : (number - low) / (high - low);
  if (showColor && colors) fill(made, scaleColor(colors, share));
  else if (!showBar) made.classList.add('shade');
  made.style.setProperty('--share', String(share));
  if (!showBar) return;
  const { start, length } = barOf(number, { low, high });
  made.classList.add('bar');
  made.style.setProperty('--start', String(start));
  made.style.setProperty('--length', String(length));
}

/** The style mixes the color with that of the page. */
function fill(made: HTMLElement, color: string): void {
  made.classList.add('filled');
  made.style.setProperty('--fill', color);
}
