import { useRef } from 'preact/hooks';
import { isNumeric, valueText } from './format.ts';
import { useWindow } from './window.ts';

interface DataGridProps {
  /** What the rows are. */
  label: string;
  columns: readonly { name: string; type: string }[];
  rows: readonly (readonly unknown[])[];
}

const ROW_PX = 32;
const COLUMN_PX = 172;
/** Longer values are cut off in their cell; the whole value is its tip up to this length. */
const MAX_TIP = 2_000;

/** Rows of data as they are stored, of which only the rows and the columns in sight are drawn. */
export function DataGrid({ label, columns, rows }: DataGridProps) {
  const box = useRef<HTMLElement>(null);
  const down = useWindow(box, { count: rows.length, size: ROW_PX });
  const across = useWindow(box, { count: columns.length, size: COLUMN_PX, isHorizontal: true });
  const shown = columns.slice(across.start, across.end).map((column, offset) => ({
    ...column,
    index: across.start + offset,
  }));
  const width = `${columns.length * COLUMN_PX}px`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard.
    <section class="table-box grid" ref={box} tabIndex={0} aria-label={label}>
      <table class="table fixed" style={{ width }} aria-rowcount={rows.length + 1} aria-colcount={columns.length}>
        <thead>
          <tr aria-rowindex={1}>
            <Gap width={across.before} isHead />
            {shown.map(({ name, type, index }) => (
              <th
                key={index}
                scope="col"
                class={isNumeric(type) ? 'number' : undefined}
                style={{ width: `${COLUMN_PX}px` }}
                aria-colindex={index + 1}
                title={`${name}: ${type}`}
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
                <Cell key={index} value={row[index]} isNumber={isNumeric(type)} index={index} />
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

function Cell({ value, isNumber, index }: { value: unknown; isNumber: boolean; index: number }) {
  if (value === null || value === undefined) {
    return (
      <td class={isNumber ? 'number absent' : 'absent'} aria-colindex={index + 1}>
        null
      </td>
    );
  }
  const text = valueText(value);
  return (
    <td class={isNumber ? 'number' : undefined} aria-colindex={index + 1} title={text.slice(0, MAX_TIP)}>
      {text === '' ? <span class="absent">empty text</span> : text.slice(0, MAX_TIP)}
    </td>
  );
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
