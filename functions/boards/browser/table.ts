import type { ChartColumn, TotalRow } from '../../../shared/data/charts/chart-columns.ts';
import { grandTotals, type PlacedRow, placeTotals } from '../../../shared/data/charts/total-rows.ts';
import { el } from './dom.ts';
import { type Sorting, sortRows } from './sort-rows.ts';
import { cellOf, classOf, type ShownColumn, shownColumns, type TableColumn, totalCellOf } from './table-cells.ts';
import { groupHeadings } from './table-groups.ts';

export type { TableColumn } from './table-cells.ts';

export type DataColumn = ChartColumn & { fieldId?: string };

export interface CardData {
  columns: DataColumn[];
  rows: unknown[][];
  rowCount: number;
  totals?: TotalRow[];
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

/** More rows at the same time would slow the page down. */
const PAGE_ROWS = 500;

interface TableOptions {
  chosen: readonly TableColumn[] | undefined;
  caption: string;
  pick?: Pick | undefined;
  /** Called when other rows are shown. */
  onRows?: () => void;
}

/** The rows as a table with the columns of the chart, or all columns, which a click on a heading sorts. */
export function tableOf(data: CardData, { chosen, caption, pick, onRows }: TableOptions): HTMLElement {
  const columns = shownColumns(chosen, data);
  const body = el('tbody');
  const unsorted = placeTotals(data);
  const pager = unsorted.length > PAGE_ROWS ? pagerOf((page) => show(page)) : undefined;
  const groups = groupHeadings(columns);
  let sorting: Sorting | undefined;
  const headings = columns.map((shown) => {
    const heading = headingOf(shown, groups !== undefined);
    heading.querySelector('button')!.addEventListener('click', () => {
      sorting = nextSorting(sorting, shown.at);
      for (const each of headings) each.removeAttribute('aria-sort');
      if (sorting) heading.setAttribute('aria-sort', sorting.isDown ? 'descending' : 'ascending');
      show(0);
    });
    return heading;
  });
  const show = (page: number) => {
    const placed = sorting ? sortedRows(data, sorting) : unsorted;
    const rows = placed
      .slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS)
      .map(({ row, at }) =>
        at === undefined
          ? el('tr', { class: 'total' }, ...columns.map((shown) => totalCellOf(shown, row)))
          : el('tr', { 'data-row': String(at) }, ...columns.map((shown) => cellOf(shown, row))),
      );
    body.replaceChildren(...rows);
    if (pick)
      pickable(
        rows.filter((row) => row.dataset.row !== undefined),
        pick,
      );
    // Sorted rows have no subtotals, so they are fewer.
    pager?.show(page, placed.length);
    onRows?.();
  };
  if (pick) moveWithArrows(body);
  show(0);
  const table = el(
    'table',
    {},
    el('caption', { class: 'sr' }, caption),
    el('thead', groups ? { class: 'grouped' } : {}, ...(groups ? [groups] : []), el('tr', {}, ...headings)),
    body,
  );
  const frame = el('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': caption }, table);
  if (pager) frame.append(pager.element);
  return frame;
}

/** The text is the name alone, which the glossary looks for; the style adds the direction. */
function headingOf({ title, column, width }: ShownColumn, isGrouped: boolean): HTMLElement {
  const name = isGrouped ? (column.pivot?.measure ?? column.name) : column.name;
  const button = el('button', { type: 'button', class: 'sort' }, title ?? name);
  const heading = el('th', { scope: 'col', class: classOf(column) }, button);
  if (width !== undefined) heading.style.width = `${width}px`;
  return heading;
}

/** Sorted rows are not in their groups, so they have no subtotals. */
function sortedRows({ rows, columns, totals }: CardData, sorting: Sorting): PlacedRow[] {
  const sorted = sortRows(rows, columns, sorting).map((at) => ({ row: rows[at]!, at }));
  return [...sorted, ...grandTotals(totals)];
}

/** Rising, then falling, then as the rows came. */
function nextSorting(sorting: Sorting | undefined, at: number): Sorting | undefined {
  if (sorting?.at !== at) return { at, isDown: false };
  return sorting.isDown ? undefined : { at, isDown: true };
}

/** The buttons that lead to other rows. */
function pagerOf(show: (page: number) => void) {
  let [shown, last] = [0, 0];
  const [previous, next] = ['Previous', 'Next'].map((name) => el('button', { type: 'button' }, name)) as [
    HTMLButtonElement,
    HTMLButtonElement,
  ];
  const range = el('span', { role: 'status' });
  const element = el('nav', { class: 'pager', 'aria-label': 'Rows' }, previous, range, next);
  const move = (page: number) => {
    if (page < 0 || page > last) return;
    show(page);
    if (element.parentElement) element.parentElement.scrollTop = 0;
  };
  previous.addEventListener('click', () => move(shown - 1));
  next.addEventListener('click', () => move(shown + 1));
  return {
    element,
    show(page: number, count: number) {
      [shown, last] = [page, Math.ceil(count / PAGE_ROWS) - 1];
      const [from, to] = [page * PAGE_ROWS + 1, Math.min(count, (page + 1) * PAGE_ROWS)];
      range.textContent = `${from.toLocaleString('en')}–${to.toLocaleString('en')} of ${count.toLocaleString('en')}`;
      // A disabled button would lose the focus.
      for (const [button, isEnd] of [
        [previous, page === 0],
        [next, page === last],
      ] as const)
        button.setAttribute('aria-disabled', String(isEnd));
    },
  };
}

/** The first cell of each row is a button, beside the link if it has one; the table is one tab stop. */
function pickable(rows: readonly HTMLTableRowElement[], pick: Pick): void {
  for (const [index, row] of rows.entries()) {
    const first = row.cells[0];
    if (!first) continue;
    const text = first.textContent || '(empty)';
    const hasLink = first.querySelector('a') !== null;
    const button = el(
      'button',
      {
        type: 'button',
        class: 'row',
        tabindex: index === 0 ? '0' : '-1',
        'aria-haspopup': 'menu',
        ...(hasLink && { 'aria-label': text }),
      },
      // The nodes of the cell, such as its icon, become those of the button.
      ...(hasLink ? ['⋯'] : first.textContent ? [...first.childNodes] : [text]),
    );
    first.append(...(hasLink ? [' '] : []), button);
    row.addEventListener('click', ({ target }) => {
      if (!(target as Element).closest('a')) pick(Number(row.dataset.row), row.cells[0]!, button);
    });
  }
}

/** The arrow keys move between the buttons of rows. */
function moveWithArrows(body: HTMLElement): void {
  body.addEventListener('keydown', (event) => {
    const buttons = [...body.querySelectorAll<HTMLButtonElement>('button.row')];
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
