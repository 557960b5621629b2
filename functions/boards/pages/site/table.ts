import { type ChartColumn, kindOf, numberValue } from '../../../../shared/data/charts/chart-columns.ts';
import { showValue } from '../../../../shared/data/charts/show-value.ts';
import { el } from './dom.ts';

export interface TableColumn {
  field: string;
  title?: string | null;
  format?: string;
  showBar?: boolean;
  showColor?: boolean;
}

export type DataColumn = ChartColumn & { fieldId?: string };

export interface CardData {
  columns: DataColumn[];
  rows: unknown[][];
  rowCount: number;
  truncated: boolean;
  asOf: string;
  /** The time zone of its times and periods. */
  timezone: string;
  ignoredFilters: string[];
  warnings: string[];
  notices?: { code: string; message: string }[];
  drillDown?: { column: string; to: string }[];
}

/** Offers what can be done with a row. */
export type Pick = (row: number, anchor: Element, back: HTMLElement) => void;

/** More rows would slow the page down; exports contain the rest. */
const MAX_ROWS = 500;

/** The rows as a table with the columns of the chart, or all columns. */
export function tableOf(
  data: CardData,
  { chosen, caption, pick }: { chosen: readonly TableColumn[] | undefined; caption: string; pick?: Pick | undefined },
): HTMLElement {
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
        ...columns.map(({ title, column }) => el('th', { scope: 'col', class: classOf(column) }, title ?? column.name)),
      ),
    ),
    el(
      'tbody',
      {},
      ...rows.map((row, at) =>
        el('tr', { 'data-row': String(at) }, ...columns.map((column) => cell(column, row, rows))),
      ),
    ),
  );
  if (pick) pickable(table, pick);
  const more = data.rows.length - rows.length;
  const frame = el('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': caption }, table);
  if (more > 0) frame.append(el('p', { class: 'hint' }, `${more} more rows`));
  return frame;
}

/** The first cell of each row is a button; the table is one tab stop, and the arrow keys move between its rows. */
function pickable(table: HTMLTableElement, pick: Pick): void {
  const buttons = [...table.querySelectorAll<HTMLTableRowElement>('tbody tr')].flatMap((row, at) => {
    const first = row.cells[0];
    if (!first) return [];
    const text = first.textContent || '(empty)';
    const button = el(
      'button',
      { type: 'button', class: 'row', tabindex: at === 0 ? '0' : '-1', 'aria-haspopup': 'menu' },
      text,
    );
    first.replaceChildren(button);
    row.addEventListener('click', () => pick(at, row.cells[0]!, button));
    return [button];
  });
  table.addEventListener('keydown', (event) => {
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step === undefined || at < 0 ? undefined : buttons[at + step];
    if (!next) return;
    buttons[at]!.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    event.preventDefault();
  });
}

/** Numbers and dates are never broken. */
const classOf = (column: ChartColumn): string | undefined =>
  ({ number: 'number', time: 'date', other: undefined })[kindOf(column)];

function cell(
  { column, at, format, showBar, showColor }: TableColumn & { column: ChartColumn; at: number },
  row: unknown[],
  rows: unknown[][],
): HTMLElement {
  const text = showValue(column, row[at], format);
  const made = el('td', { class: classOf(column) }, text);
  const number = numberValue(row[at]);
  if (!(showBar || showColor) || number === null) return made;
  const numbers = rows.flatMap((each) => numberValue(each[at]) ?? []);
  const low = numbers.reduce((least, each) => Math.min(least, each), showBar ? 0 : Number.POSITIVE_INFINITY);
  const high = numbers.reduce((most, each) => Math.max(most, each), low);
  made.classList.add(showBar ? 'bar' : 'shade');
  made.style.setProperty('--share', String(high === low ? 0 : (number - low) / (high - low)));
  return made;
}
