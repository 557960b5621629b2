import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { columnPlaces } from './column-places.ts';
import { cellText, isNumeric, typeText, valueText } from './format.ts';
import { useWindow } from './window.ts';

interface DataGridProps {
  /** What the rows are. */
  label: string;
  columns: readonly { name: string; type: string }[];
  rows: readonly (readonly unknown[])[];
  /** A cell can be chosen, by a click or by the arrows; undefined for none. */
  onCell?: (cell: GridCell | undefined) => void;
}

export interface GridCell {
  row: number;
  column: number;
}

const HEAD_PX = 48;
const ROW_PX = 32;
/** Longer values are cut off in their cell; the whole value is its tip up to this length. */
const MAX_TIP = 2_000;

/** Rows of data, of which only the rows and the columns in sight are drawn. The tip of a value is what is stored. */
export function DataGrid({ label, columns, rows, onCell }: DataGridProps) {
  const box = useRef<HTMLElement>(null);
  const [chosen, setChosen] = useState<GridCell | undefined>(undefined);
  const choose = (cell: GridCell | undefined) => {
    setChosen(cell);
    onCell?.(cell);
  };
  // Of other rows, another cell is at the same place.
  useEffect(() => choose(undefined), [rows]);
  const places = useMemo(() => columnPlaces(columns, rows), [columns, rows]);
  const down = useWindow(box, { count: rows.length, size: ROW_PX });
  const across = useWindow(box, { count: columns.length, size: places, isHorizontal: true });
  const shown = columns.slice(across.start, across.end).map((column, offset) => ({
    ...column,
    index: across.start + offset,
  }));
  const width = `${places.at(-1)}px`;
  return (
    <section
      class="table-box grid"
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard.
      tabIndex={0}
      aria-label={label}
      onKeyDown={(event) => {
        const next = onCell && nextCell(event, chosen, { rows: rows.length, columns: columns.length });
        if (!next) return;
        event.preventDefault();
        choose(next);
        bringIntoView(box.current!, next.row, places.slice(next.column));
      }}
    >
      <table class="table fixed" style={{ width }} aria-rowcount={rows.length + 1} aria-colcount={columns.length}>
        <thead>
          <tr aria-rowindex={1}>
            <Gap width={across.before} isHead />
            {shown.map(({ name, type, index }) => (
              <th
                key={index}
                scope="col"
                class={isNumeric(type) ? 'number' : undefined}
                style={{ width: `${places[index + 1]! - places[index]!}px` }}
                aria-colindex={index + 1}
                title={`${name}: ${typeText(type)}`}
              >
                {name}
                <span class="type">{type}</span>
              </th>
            ))}
            <Gap width={across.after} isHead />
          </tr>
        </thead>
        <tbody>
          <Room height={down.before} />
          {rows.slice(down.start, down.end).map((row, offset) => (
            <tr key={down.start + offset} aria-rowindex={down.start + offset + 2}>
              <Gap width={across.before} />
              {shown.map(({ type, index }) => (
                <Cell
                  key={index}
                  value={row[index]}
                  type={type}
                  index={index}
                  isChosen={chosen?.row === down.start + offset && chosen.column === index}
                  choose={onCell && (() => choose({ row: down.start + offset, column: index }))}
                />
              ))}
              <Gap width={across.after} />
            </tr>
          ))}
          <Room height={down.after} />
        </tbody>
      </table>
    </section>
  );
}

interface CellProps {
  value: unknown;
  type: string;
  index: number;
  isChosen: boolean;
  choose?: (() => void) | undefined;
}

function Cell({ value, type, index, isChosen, choose }: CellProps) {
  const isAbsent = value === null || value === undefined;
  const text = isAbsent ? 'null' : cellText(value, type);
  const name = [isNumeric(type) && 'number', isAbsent && 'absent', isChosen && 'chosen'].filter(Boolean).join(' ');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box around the cells has the keys.
    <td
      class={name || undefined}
      aria-colindex={index + 1}
      title={isAbsent ? undefined : valueText(value).slice(0, MAX_TIP)}
      onClick={choose}
    >
      {text === '' ? <span class="absent">empty text</span> : text.slice(0, MAX_TIP)}
    </td>
  );
}

/** Where an arrow leads; undefined for other keys, which scroll. */
function nextCell(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  chosen: GridCell | undefined,
  { rows, columns }: { rows: number; columns: number },
): GridCell | undefined {
  const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[key];
  if (!step || ctrlKey || metaKey || altKey || rows === 0) return undefined;
  if (!chosen) return { row: 0, column: 0 };
  return {
    row: Math.max(0, Math.min(rows - 1, chosen.row + step[0]!)),
    column: Math.max(0, Math.min(columns - 1, chosen.column + step[1]!)),
  };
}

/** The column begins at `left` and ends at `right`. */
function bringIntoView(box: HTMLElement, row: number, [left, right]: readonly number[]): void {
  const top = row * ROW_PX;
  const bottom = top + ROW_PX + HEAD_PX - box.clientHeight;
  box.scrollTo({
    top: Math.max(bottom, Math.min(top, box.scrollTop)),
    left: Math.max(right! - box.clientWidth, Math.min(left!, box.scrollLeft)),
  });
}

/** In the place of the columns that are not in sight. */
function Gap({ width, isHead = false }: { width: number; isHead?: boolean }) {
  if (width === 0) return null;
  const style = { width: `${width}px` };
  return isHead ? <td class="gap" style={style} /> : <td class="gap" />;
}

const Room = ({ height }: { height: number }) =>
  height > 0 ? (
    <tr class="spacer">
      <td style={{ height: `${height}px` }} />
    </tr>
  ) : null;
