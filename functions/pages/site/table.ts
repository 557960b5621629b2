import { type ChartColumn, kindOf, numberValue } from '../../../shared/data/charts/chart-columns.ts';
import { shownValue } from '../../../shared/data/charts/shown-value.ts';
import { el } from './dom.ts';

export interface TableColumn {
  field: string;
  title?: string | null;
  format?: string;
  showBar?: boolean;
  showColor?: boolean;
}

export interface CardData {
  columns: ChartColumn[];
  rows: unknown[][];
  rowCount: number;
  truncated: boolean;
  asOf: string;
  ignoredFilters: string[];
  warnings: string[];
}

/** More rows would slow the page down; exports contain the rest. */
const MAX_ROWS = 500;

/** The rows as a table with the columns of the chart, or all columns. */
export function tableOf(data: CardData, chosen: readonly TableColumn[] | undefined, caption: string): HTMLElement {
  const wanted = chosen ?? data.columns.map(({ name }): TableColumn => ({ field: name }));
  const columns = wanted.flatMap((column) => {
    const at = data.columns.findIndex(({ name }) => name === column.field);
    return at < 0 ? [] : [{ ...column, at, column: data.columns[at]! }];
  });
  const rows = data.rows.slice(0, MAX_ROWS);
  const table = el(
    'table',
    {},
    el('caption', { class: 'sr' }, caption),
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        ...columns.map(({ title, column }) =>
          el('th', { scope: 'col', ...(isNumber(column) && { class: 'number' }) }, title ?? column.name),
        ),
      ),
    ),
    el('tbody', {}, ...rows.map((row) => el('tr', {}, ...columns.map((column) => cell(column, row, rows))))),
  );
  const more = data.rows.length - rows.length;
  const frame = el('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': caption }, table);
  if (more > 0) frame.append(el('p', { class: 'hint' }, `${more} more rows`));
  return frame;
}

const isNumber = (column: ChartColumn): boolean => kindOf(column) === 'number';

function cell(
  { column, at, format, showBar, showColor }: TableColumn & { column: ChartColumn; at: number },
  row: unknown[],
  rows: unknown[][],
): HTMLElement {
  const text = shownValue(column, row[at], format);
  const made = el('td', { ...(isNumber(column) && { class: 'number' }) }, text);
  const number = numberValue(row[at]);
  if (!(showBar || showColor) || number === null) return made;
  const numbers = rows.flatMap((each) => numberValue(each[at]) ?? []);
  const low = numbers.reduce((least, each) => Math.min(least, each), showBar ? 0 : Number.POSITIVE_INFINITY);
  const high = numbers.reduce((most, each) => Math.max(most, each), low);
  made.classList.add(showBar ? 'bar' : 'shade');
  made.style.setProperty('--share', String(high === low ? 0 : (number - low) / (high - low)));
  return made;
}
