import { type ChartColumn, kindOf } from '../charts/chart-columns.ts';
import { escapeXml } from '../charts/svg.ts';
import type { Cell } from './csv-cells.ts';

/** Excel refuses a file with a longer text. */
export const MAX_CELL_TEXT = 32_767;

/** The indexes of the formats in `STYLES`. */
export const STYLE = { heading: 1, date: 2, time: 3, wrapped: 4 } as const;

export type CellKind = 'number' | 'date' | 'time' | 'boolean' | 'text';

export function cellKind(column: ChartColumn): CellKind {
  if (column.type === 'boolean') return 'boolean';
  switch (kindOf(column)) {
    case 'number':
      return 'number';
    case 'time':
      return column.type === 'date' ? 'date' : 'time';
    default:
      return 'text';
  }
}

/** Counts the texts that were cut. */
export interface Cuts {
  texts: number;
}

/** A cell as XML. Numbers with more digits than Excel keeps, and dates before its first one, are texts. */
export function cellXml(kind: CellKind, cell: Cell, cuts: Cuts): string {
  if (cell === null) return '<c/>';
  switch (kind) {
    case 'number':
      return isExact(cell) ? `<c><v>${cell}</v></c>` : textXml(cell, cuts);
    case 'boolean':
      return cell === 'true' || cell === 'false'
        ? `<c t="b"><v>${cell === 'true' ? 1 : 0}</v></c>`
        : textXml(cell, cuts);
    case 'date':
    case 'time': {
      const serial = serialOf(cell);
      return serial === undefined ? textXml(cell, cuts) : `<c s="${STYLE[kind]}"><v>${serial}</v></c>`;
    }
    default:
      return textXml(cell, cuts);
  }
}

export function textXml(text: string, cuts: Cuts, style?: number): string {
  let kept = text;
  if (text.length > MAX_CELL_TEXT) {
    kept = `${text.slice(0, MAX_CELL_TEXT - 1)}…`;
    cuts.texts += 1;
  }
  const attribute = style === undefined ? '' : ` s="${style}"`;
  return `<c t="inlineStr"${attribute}><is><t xml:space="preserve">${escapeText(kept)}</t></is></c>`;
}

/** Excel reads `_x000D_` as a character of that number, unless its first character is written so itself. */
const escapeText = (text: string): string =>
  escapeXml(text.includes('_x') ? text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_') : text);

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE][+-]?\d+)?$/;
const EXCEL_DIGITS = 15;

function isExact(text: string): boolean {
  const match = NUMBER.exec(text);
  if (!match) return false;
  if (text.length <= EXCEL_DIGITS) return true;
  const digits = `${match[1]}${match[2] ?? ''}`.replace(/^0+/, '').replace(/0+$/, '');
  // A binary number that the engine has written with 17 digits is no more exact than Excel's.
  return digits.length <= EXCEL_DIGITS || (match[2] !== undefined && digits.length <= 17);
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?/;
const DAY_MS = 24 * 60 * 60 * 1000;
const EPOCH = Date.UTC(1899, 11, 30);
/** Excel takes 1900 for a leap year, so that earlier days are ambiguous. */
const FIRST = Date.UTC(1900, 2, 1);

/** Days since Excel's epoch, of the local time that the text shows. */
function serialOf(text: string): number | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0));
  if (year! < 1900) return undefined;
  const midnight = Date.UTC(year!, month! - 1, day);
  if (midnight < FIRST) return undefined;
  const seconds = (hour! * 60 + minute!) * 60 + second! + Number(`0.${match[7] ?? 0}`);
  return (midnight - EPOCH) / DAY_MS + seconds / 86_400;
}
