import { plainDecimal } from '../../platform/text/number-text.ts';
import { type ChartColumn, kindOf } from '../charts/chart-columns.ts';
import { escapeXml } from '../charts/svg.ts';
import { digitsCode, excelDateFormat, excelNumberFormat } from '../value-formats/excel-format.ts';
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

/** The formats of a workbook, each with the index of its style. */
export class NumberStyles {
  readonly #codes = new Map<string, number>();

  /** After the styles of every workbook. */
  indexOf(code: string): number {
    const known = this.#codes.get(code) ?? FIRST_STYLE + this.#codes.size;
    this.#codes.set(code, known);
    return known;
  }

  get codes(): string[] {
    return [...this.#codes.keys()];
  }
}

const FIRST_STYLE = Object.keys(STYLE).length + 1;

/** How a column is written. */
export interface SheetColumn {
  kind: CellKind;
  /** The style of the format that the column has; undefined where each number decides. */
  style: number | undefined;
  styles: NumberStyles;
  /** Whether its numbers are no exact decimals. */
  isInexact: boolean;
}

export function sheetColumn(column: ChartColumn, styles: NumberStyles): SheetColumn {
  const kind = cellKind(column);
  const code =
    kind === 'number'
      ? excelNumberFormat(column)
      : kind === 'date' || kind === 'time'
        ? excelDateFormat(column)
        : undefined;
  const isInexact = /^(number|double|float)/.test(column.type);
  return { kind, style: code === undefined ? undefined : styles.indexOf(code), styles, isInexact };
}

/** A cell as XML. Numbers with more digits than Excel keeps, and dates before its first one, are texts. */
export function cellXml(column: SheetColumn, cell: Cell, cuts: Cuts): string {
  if (cell === null) return '<c/>';
  const { kind } = column;
  switch (kind) {
    case 'number':
      return isExact(cell, column) ? `<c${numberStyle(column, cell)}><v>${cell}</v></c>` : textXml(cell, cuts);
    case 'boolean':
      return cell === 'true' || cell === 'false'
        ? `<c t="b"><v>${cell === 'true' ? 1 : 0}</v></c>`
        : textXml(cell, cuts);
    case 'date':
    case 'time': {
      const serial = serialOf(cell);
      return serial === undefined ? textXml(cell, cuts) : `<c s="${column.style ?? STYLE[kind]}"><v>${serial}</v></c>`;
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

function isExact(text: string, { isInexact }: SheetColumn): boolean {
  const match = NUMBER.exec(text);
  if (!match) return false;
  if (text.length <= EXCEL_DIGITS) return true;
  const digits = `${match[1]}${match[2] ?? ''}`.replace(/^0+/, '').replace(/0+$/, '');
  // A binary number that the engine has written with 17 digits is no more exact than Excel's.
  return digits.length <= EXCEL_DIGITS || (isInexact && match[2] !== undefined && digits.length <= 17);
}

/** Excel shows so many characters of a number without a format, and rounds the others away. */
const GENERAL_CHARACTERS = 11;
const MAX_DECIMALS = 15;

function numberStyle({ style, styles }: SheetColumn, text: string): string {
  if (style !== undefined) return ` s="${style}"`;
  if (text.length < GENERAL_CHARACTERS || /[eE]/.test(text)) return '';
  const decimal = plainDecimal(text.length > EXCEL_DIGITS ? Number(text) : text);
  return decimal && decimal.scale <= MAX_DECIMALS ? ` s="${styles.indexOf(digitsCode(decimal.scale, false))}"` : '';
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
