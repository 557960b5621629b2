import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useWindow } from './window.ts';

export interface LongColumn<T> {
  key: string;
  title: string;
  cell(item: T): ComponentChildren;
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

interface LongTableProps<T> {
  /** What the rows are. */
  label: string;
  columns: readonly LongColumn<T>[];
  count: number;
  /** Undefined while the row is being read. */
  itemAt(index: number): T | undefined;
  keyOf(item: T): string;
  /** Asks for the rows of a range that is in sight. */
  need?(start: number, end: number): void;
  sort?: string;
  onSort?(sort: string): void;
}

const ROW_PX = 40;

/** A table of any number of rows, of which only those in sight are drawn. Its head stays in sight. */
export function LongTable<T>({ label, columns, count, itemAt, keyOf, need, sort, onSort }: LongTableProps<T>) {
  const box = useRef<HTMLElement>(null);
  const { start, end, before, after } = useWindow(box, { count, size: ROW_PX });
  useEffect(() => need?.(start, end), [start, end, need]);
  const rows = Array.from({ length: end - start }, (_, offset) => start + offset);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard.
    <section class="table-box long" ref={box} tabIndex={0} aria-label={label}>
      <table class="table" aria-rowcount={count + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={before} columns={columns.length} />
          {rows.map((index) => {
            const item = itemAt(index);
            return (
              <tr key={item === undefined ? `row ${index}` : keyOf(item)} aria-rowindex={index + 2}>
                {columns.map((column) => (
                  <td key={column.key} class={classOf(column)}>
                    {item === undefined ? <span class="pending" /> : column.cell(item)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Spacer height={after} columns={columns.length} />
        </tbody>
      </table>
    </section>
  );
}

const classOf = ({ isNumber, isMinor }: { isNumber?: boolean; isMinor?: boolean }): string | undefined =>
  [isNumber && 'number', isMinor && 'minor'].filter(Boolean).join(' ') || undefined;

interface HeadProps<T> {
  column: LongColumn<T>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

function Head<T>({ column, sort, onSort }: HeadProps<T>) {
  const { title, width, sort: by, isLargestFirst } = column;
  const common = { class: classOf(column), style: { width }, scope: 'col' } as const;
  if (by === undefined || !onSort) return <th {...common}>{title}</th>;
  const direction = sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : undefined;
  const next = direction === undefined ? (isLargestFirst ? `-${by}` : by) : direction === 'ascending' ? `-${by}` : by;
  return (
    <th {...common} aria-sort={direction}>
      <button type="button" onClick={() => onSort(next)}>
        {title}
        <span aria-hidden="true">{direction === 'ascending' ? ' ↑' : direction === 'descending' ? ' ↓' : ''}</span>
      </button>
    </th>
  );
}

const Spacer = ({ height, columns }: { height: number; columns: number }) =>
  height > 0 ? (
    <tr class="spacer">
      <td colSpan={columns} style={{ height: `${height}px` }} />
    </tr>
  ) : null;
