import { useLayoutEffect } from 'preact/hooks';
import type { ResultSet } from '../../data/sql.ts';
import { Button } from '../../ui/button.tsx';
import type { GridCell } from '../../ui/data-grid.tsx';
import { countOf, typeText, valueText } from '../../ui/format.ts';
import { toast } from '../../ui/toast.tsx';

const MAX_SHOWN = 5_000;
const textOf = (value: unknown): string => (value === null || value === undefined ? '' : valueText(value));

/** A row as spreadsheets take it: its values between tabs. */
const rowText = (row: readonly unknown[]): string =>
  row.map((value) => textOf(value).replaceAll(/[\t\r\n]+/g, ' ')).join('\t');

async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`The ${what} is copied.`);
  } catch {
    toast('The browser does not allow copying. Select the text and copy it yourself.', { isFailed: true });
  }
}

/** The whole value of the chosen cell, and what can be copied. */
export function CellBar({ result: { columns, rows }, cell }: { result: ResultSet; cell: GridCell }) {
  const row = rows[cell.row]!;
  const value = row[cell.column];
  const { name, type } = columns[cell.column]!;
  const copyValue = () => void copy(textOf(value), 'value');
  // In time for a key pressed as soon as the value is shown.
  useLayoutEffect(() => {
    const onCopy = (event: ClipboardEvent) => {
      const isGrid = document.activeElement?.closest('.grid') != null;
      if (!isGrid || String(getSelection()) !== '') return;
      event.clipboardData?.setData('text/plain', textOf(value));
      event.preventDefault();
    };
    document.addEventListener('copy', onCopy);
    return () => document.removeEventListener('copy', onCopy);
  }, [value]);
  const text = value === null || value === undefined ? 'null' : textOf(value);
  return (
    <div class="sql-cell">
      <p class="hint" role="status">
        Row {countOf(cell.row + 1)}, {name} <code>{type}</code>
        {typeText(type).slice(type.length)}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long value scrolls. */}
      <pre tabIndex={0}>{text === '' ? 'empty text' : text.slice(0, MAX_SHOWN)}</pre>
      <div class="actions">
        <Button isSmall icon="copy" onClick={copyValue}>
          Copy value
        </Button>
        <Button isSmall onClick={() => void copy(rowText(row), 'row')}>
          Copy row
        </Button>
        <Button isSmall onClick={() => void copy(rowText(columns.map((column) => column.name)), 'names')}>
          Copy column names
        </Button>
      </div>
    </div>
  );
}
