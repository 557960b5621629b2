import { Component, type ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import { useShortcut } from './shortcuts.ts';
import { useWindow } from './window.ts';

export interface Column<T> {
  id: string;
  label: string;
  cell: (row: T) => ComponentChildren;
  isNumber?: boolean;
  /** Left out on phones. */
  isMinor?: boolean;
  /** Such as `30%` or `120px`; columns without one share the rest. */
  width?: string;
  /** What `sort` is called that sorts by this column; descending with a minus. */
  sort?: string;
  /** Whether the first press sorts descending, as for sizes and times. */
  isLargestFirst?: boolean;
}

/** Rows that are read while the table is scrolled: what `useList` returns. */
interface TableList<T> {
  count: number;
  /** Undefined while the row is being read. */
  at(index: number): T | undefined;
  /** Asks for the rows of a range that is in sight. */
  need?(start: number, end: number): void;
  hasMore?: boolean;
  error?: unknown;
  refresh?(): void;
}

export interface TableProps<T> {
  /** What the rows are, for screen readers. */
  label: string;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  /** All rows. */
  rows?: readonly T[];
  /** In the place of `rows`, for lists that are read in pages. */
  list?: TableList<T>;
  /** The column and direction the rows are sorted by. */
  sort?: string;
  onSort?: (sort: string) => void;
}

/** Up to here all rows are elements of the page; of longer lists, those in sight are. */
const MAX_PLAIN_ROWS = 100;
const ROW_PX = 41;

/**
 * Rows of records in a box that scrolls under its head. The first cell of a row has its link; `j` and `k` move between
 * the links.
 */
export function Table<T>(props: TableProps<T>) {
  const { label, columns, rows = [], list, keyOf, sort, onSort } = props;
  const box = useRef<HTMLElement>(null);
  const { count, at, need, hasMore, error, refresh } = list ?? { count: rows.length, at: (index) => rows[index] };
  const sight = useWindow(box, { count, size: ROW_PX });
  const isLong = count > MAX_PLAIN_ROWS;
  const drawn = isLong ? sight : { start: 0, end: count, before: 0, after: 0 };
  useEffect(() => need?.(sight.start, sight.end), [sight.start, sight.end, count, need]);
  useRowKeys(box, count);
  const isFixed = isLong || columns.some(({ width }) => width !== undefined);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard. */}
      <section class="table-box" ref={box} tabIndex={0} aria-label={label}>
        <table
          class={isFixed ? `table fixed ${needOf(columns)}` : 'table'}
          aria-rowcount={hasMore && !isLong ? -1 : count + 1}
        >
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column) => (
                <Head key={column.id} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            <Spacer height={drawn.before} columns={columns.length} />
            {Array.from({ length: drawn.end - drawn.start }, (_, offset) => {
              const index = drawn.start + offset;
              const row = at(index);
              const key = row === undefined ? `row ${index}` : keyOf(row);
              return <Row<T> key={key} row={row} index={index} table={props} />;
            })}
            <Spacer height={drawn.after} columns={columns.length} />
          </tbody>
        </table>
      </section>
      {error ? (
        <p class="table-error" role="alert">
          Some rows could not be read.{' '}
          {refresh && (
            <Button isSmall icon="rotate-ccw" onClick={refresh}>
              Try again
            </Button>
          )}
        </p>
      ) : null}
    </>
  );
}

interface RowProps<T> {
  row: T | undefined;
  index: number;
  table: TableProps<T>;
}

/** A row that stays while others are scrolled past it is not drawn again: the table then has the same properties. */
class Row<T> extends Component<RowProps<T>> {
  override shouldComponentUpdate({ row, index, table }: RowProps<T>, state: object): boolean {
    const { props } = this;
    // The state changes when a signal does that a cell has read.
    return state !== this.state || row !== props.row || index !== props.index || table !== props.table;
  }

  override render({ row, index, table: { columns } }: RowProps<T>) {
    return (
      <tr aria-rowindex={index + 2} data-row={index}>
        {columns.map((column) => (
          <td key={column.id} class={classOf(column)}>
            {row === undefined ? <span class="pending" /> : column.cell(row)}
          </td>
        ))}
      </tr>
    );
  }
}

const MIN_SHARED_PX = 130;

/** The class for the width that all columns need; the style sheet leaves out the minor ones where there is less. */
function needOf(columns: readonly { width?: string }[]): string {
  const widths = columns.map(({ width }) => Number.parseFloat(width?.replace('min(', '') ?? '') || 0);
  const isShare = (index: number) => columns[index]!.width?.endsWith('%') === true;
  const sum = (shares: boolean) => widths.reduce((all, width, at) => (isShare(at) === shares ? all + width : all), 0);
  const needed = (sum(false) + MIN_SHARED_PX * widths.filter((width) => width === 0).length) / (1 - sum(true) / 100);
  const step = [800, 900, 1000].find((each) => needed <= each) ?? 1000;
  return needed > 700 ? `needs-${step}` : '';
}

const classOf = ({ isNumber, isMinor }: { isNumber?: boolean; isMinor?: boolean }): string | undefined =>
  [isNumber && 'number', isMinor && 'minor'].filter(Boolean).join(' ') || undefined;

interface HeadProps<T> {
  column: Column<T>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

function Head<T>({ column, sort, onSort }: HeadProps<T>) {
  const { label, width, sort: by, isLargestFirst } = column;
  // A share is of the columns that phones leave out, too.
  const onPhones = width?.endsWith('%') ? 'auto' : width;
  const common = {
    class: classOf(column),
    style: { '--width': width, '--phone-width': onPhones },
    scope: 'col',
  } as const;
  if (by === undefined || !onSort) return <th {...common}>{label}</th>;
  const direction = sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : undefined;
  const next = direction === undefined ? (isLargestFirst ? `-${by}` : by) : direction === 'ascending' ? `-${by}` : by;
  return (
    <th {...common} aria-sort={direction}>
      <button type="button" onClick={() => onSort(next)}>
        {label}
        <span aria-hidden="true">{direction === 'ascending' ? ' ↑' : direction === 'descending' ? ' ↓' : ''}</span>
      </button>
    </th>
  );
}

/** Takes the room of rows that are not drawn. */
const Spacer = ({ height, columns }: { height: number; columns: number }) =>
  height > 0 ? (
    <tr class="spacer">
      <td colSpan={columns} style={{ height: `${height}px` }} />
    </tr>
  ) : null;

/** `j` and `k` move the focus to the link of the next and the previous row, once that row is drawn and read. */
function useRowKeys(box: { current: HTMLElement | null }, count: number): void {
  const wanted = useRef<number | undefined>(undefined);
  const focusWanted = () => {
    if (wanted.current === undefined) return;
    const row = box.current!.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`);
    if (!row) {
      box.current!.scrollTop = wanted.current * ROW_PX - box.current!.clientHeight / 2;
      return;
    }
    row.scrollIntoView({ block: 'nearest' });
    if (row.querySelector('td > .pending:only-child')) return;
    wanted.current = undefined;
    const target = row.querySelector<HTMLElement>('a, button') ?? row;
    if (target === row) row.tabIndex = -1;
    target.focus({ preventScroll: true });
  };
  useEffect(focusWanted);
  const move = (by: number) => {
    const row = document.activeElement?.closest<HTMLElement>('[data-row]');
    const focused = row && box.current!.contains(row) ? Number(row.dataset.row) : undefined;
    const from = wanted.current ?? focused ?? Math.ceil(box.current!.scrollTop / ROW_PX) - (by > 0 ? 1 : -1);
    wanted.current = Math.max(0, Math.min(count - 1, from + by));
    focusWanted();
  };
  useShortcut('j', 'Next row', () => move(1), count > 0);
  useShortcut('k', 'Previous row', () => move(-1), count > 0);
}
