import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useShortcut } from './shortcuts.ts';

export interface Column<T> {
  id: string;
  label: string;
  cell: (row: T) => ComponentChildren;
  isNumber?: boolean;
  /** Left out on phones. */
  isMinor?: boolean;
}

interface TableProps<T> {
  /** What the rows are, for screen readers. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  /** How many rows there are, if not all are here yet. */
  total?: number | undefined;
  /** Reads the next rows when the last one comes into view. */
  more?: (() => void) | undefined;
}

/** Up to here all rows are elements of the page; of longer lists, those around the window are. */
const MAX_PLAIN_ROWS = 100;
const ROW_PX = 41;
const BEYOND = 12;

/**
 * Rows of records. The first cell of a row has its link; `j` and `k` move between the links. Long lists stay fast: only
 * the rows around the window exist.
 */
export function Table<T>({ label, columns, rows, keyOf, total, more }: TableProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const isLong = rows.length > MAX_PLAIN_ROWS;
  const { first, last } = useWindow(body, rows.length, isLong);
  useRowKeys(body, rows.length, first);
  const isAtEnd = last === rows.length;
  useEffect(() => {
    if (isAtEnd) more?.();
  }, [isAtEnd, rows.length]);
  const count = total ?? rows.length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keys too.
    <section class="table-box" tabIndex={0} aria-label={label}>
      <table class={isLong ? 'table fixed' : 'table'} aria-rowcount={count + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ id, label: name, isNumber, isMinor }) => (
              <th key={id} scope="col" class={classOf(isNumber, isMinor)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Spacer rows={first} columns={columns.length} />
          {rows.slice(first, last).map((row, index) => (
            <tr key={keyOf(row)} aria-rowindex={first + index + 2} data-row={first + index}>
              {columns.map(({ id, cell, isNumber, isMinor }) => (
                <td key={id} class={classOf(isNumber, isMinor)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
          <Spacer rows={rows.length - last} columns={columns.length} />
        </tbody>
      </table>
    </section>
  );
}

const classOf = (isNumber = false, isMinor = false): string | undefined =>
  [isNumber && 'number', isMinor && 'minor'].filter(Boolean).join(' ') || undefined;

/** Takes the room of rows that do not exist. */
const Spacer = ({ rows, columns }: { rows: number; columns: number }) =>
  rows > 0 ? (
    <tr class="spacer">
      <td colSpan={columns} style={{ height: `${rows * ROW_PX}px` }} />
    </tr>
  ) : null;

/** The rows around the window, from `first` to before `last`. */
function useWindow(body: { current: HTMLElement | null }, count: number, isOn: boolean) {
  const [first, setFirst] = useState(0);
  useEffect(() => {
    if (!isOn) return;
    let frame = 0;
    const measure = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        const above = -(body.current?.getBoundingClientRect().top ?? 0);
        // In steps, so that most movements change nothing.
        setFirst(Math.max(0, Math.floor(above / ROW_PX / BEYOND) * BEYOND - BEYOND));
      });
    };
    measure();
    document.addEventListener('scroll', measure, { capture: true, passive: true });
    addEventListener('resize', measure);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('scroll', measure, { capture: true });
      removeEventListener('resize', measure);
    };
  }, [isOn, count]);
  if (!isOn) return { first: 0, last: count };
  const start = Math.min(first, Math.max(0, count - 1));
  return { first: start, last: Math.min(count, start + Math.ceil(innerHeight / ROW_PX) + 3 * BEYOND) };
}

/** `j` and `k` move the focus to the link of the next and the previous row. */
function useRowKeys(body: { current: HTMLElement | null }, count: number, first: number): void {
  const wanted = useRef<number | undefined>(undefined);
  const focusWanted = () => {
    const row = body.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`);
    const link = row?.querySelector<HTMLElement>('a, button');
    if (!row || !link) return false;
    wanted.current = undefined;
    link.focus();
    row.scrollIntoView({ block: 'nearest' });
    return true;
  };
  // A row that had to come into being first.
  useEffect(() => {
    if (wanted.current !== undefined) focusWanted();
  }, [first]);
  const move = (by: number) => {
    const row = document.activeElement?.closest<HTMLElement>('[data-row]');
    const at = row && body.current?.contains(row) ? Number(row.dataset.row) : by > 0 ? first - 1 : first + 1;
    wanted.current = Math.max(0, Math.min(count - 1, at + by));
    if (!focusWanted()) scrollBy({ top: by * ROW_PX * BEYOND });
  };
  useShortcut('j', 'Next row', () => move(1), count > 0);
  useShortcut('k', 'Previous row', () => move(-1), count > 0);
}
