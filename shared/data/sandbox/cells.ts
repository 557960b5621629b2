import { type Column, type ColumnType, decimalDigits, readColumnType } from '../duckdb/column-types.ts';
import { csvValue } from '../duckdb/exact-csv.ts';

/** A returned value that does not fit its column. */
export class UnfitValue extends Error {}

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/**
 * Writes returned rows as lines of exact CSV and checks the type of each value. Throws `UnfitValue`, naming row and
 * column.
 */
export function csvOf(cells: unknown, columns: readonly Column[]): { csv: string; rows: number } {
  if (!Array.isArray(cells)) throw new UnfitValue('The answer must be an array of rows.');
  const writers = columns.map(({ type }) => writerOf(readColumnType(type)));
  const lines = cells.map((row: unknown, index) => {
    if (!Array.isArray(row) || row.length !== columns.length) {
      throw new UnfitValue(`Row ${index + 1} of the answer must be an array of ${columns.length} values.`);
    }
    return `${columns
      .map(({ name, type }, i) => {
        const value: unknown = row[i];
        if (value === null || value === undefined) return csvValue(null);
        const text = writers[i]!(value);
        if (text === undefined) throw new UnfitValue(unfit(index, name, type, value));
        return csvValue(text);
      })
      .join(',')}${columns.length === 1 ? ',1' : ''}\n`;
  });
  return { csv: lines.join(''), rows: cells.length };
}

function unfit(index: number, name: string, type: string, value: unknown): string {
  const shown = JSON.stringify(value).slice(0, 80);
  const hint = type.startsWith('decimal') ? ' (round it, for example with toFixed)' : '';
  return `Row ${index + 1} of the answer: ${shown} in column ${name} is not an exact ${type.slice(0, 100)}${hint}.`;
}

/** The text of a value; undefined if it is not a value of the type. */
type Writer = (value: unknown) => string | undefined;

function writerOf(type: ColumnType): Writer {
  if (type.kind === 'list') return listWriter(withinOf(type.item));
  if (type.kind === 'struct')
    return structWriter(type.fields.map((field) => ({ name: field.name, write: withinOf(field.type) })));
  const decimal = decimalDigits(type.name);
  if (decimal) return decimalWriter(decimal.precision, decimal.scale);
  return WRITERS[type.name] ?? (() => undefined);
}

/**
 * Within lists and structs a value is JSON: the same text as elsewhere, in quotes, and binary in the engine's own form.
 */
function withinOf(type: ColumnType): Writer {
  const write =
    type.kind === 'scalar' && type.name === 'json' ? (value: unknown) => JSON.stringify(value) : writerOf(type);
  return (value) => {
    if (value === null || value === undefined) return 'null';
    const text = write(value);
    if (text === undefined || type.kind !== 'scalar') return text;
    return JSON.stringify(type.name === 'binary' ? bytesText(text) : text.toWellFormed());
  };
}

const bytesText = (base64: string) => Buffer.from(base64, 'base64').toString('hex').replaceAll(/../g, '\\x$&');

const listWriter =
  (write: Writer): Writer =>
  (value) =>
    Array.isArray(value) ? joined(value.map(write), '[', ']') : undefined;

function structWriter(fields: readonly { name: string; write: Writer }[]): Writer {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const texts = fields.map(({ name, write }) => {
      const text = write(Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null);
      return text && `${JSON.stringify(name)}:${text}`;
    });
    return joined(texts, '{', '}');
  };
}

const joined = (texts: readonly (string | undefined)[], open: string, close: string) =>
  texts.includes(undefined) ? undefined : `${open}${texts.join(',')}${close}`;

/** Years have four digits, or more after 9999; the year 44 BC is -0043. */
const DATE = /^(-?\d{4,6})-(\d\d)-(\d\d)(?:T00:00:00(?:\.0+)?Z)?$/;
const INSTANT = /^(-?\d{4,6})-(\d\d)-(\d\d)[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const ENDLESS = /^-?infinity$/;

const WRITERS: Record<string, Writer> = {
  string: (value) => (typeof value === 'object' ? undefined : String(value)),
  integer(value) {
    if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
    if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return undefined;
    const exact = BigInt(value);
    return exact >= INT64_MIN && exact <= INT64_MAX ? value : undefined;
  },
  double(value) {
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' && /^(?:NaN|-?Infinity|-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)$/.test(value)
      ? value
      : undefined;
  },
  boolean: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  date: (value) => dayOf(value, DATE)?.replace(/T.*$/, '') ?? endless(value),
  timestamp: (value) => instant(value),
  timestamptz: (value) => instant(value),
  time: (value) => (typeof value === 'string' && /^\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?$/.test(value) ? value : undefined),
  json: (value) => (typeof value === 'string' ? value : undefined),
  binary: (value) => (typeof value === 'string' && BASE64.test(value) ? value : undefined),
};

const instant: Writer = (value) => dayOf(value, INSTANT) ?? dayOf(value, DATE) ?? endless(value);

const endless = (value: unknown) => (typeof value === 'string' && ENDLESS.test(value) ? value : undefined);

/** The text if it is well-formed and its date exists. */
function dayOf(value: unknown, form: RegExp): string | undefined {
  const match = typeof value === 'string' ? form.exec(value) : null;
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const made = new Date(0);
  made.setUTCFullYear(year, month - 1, day);
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === day ? match[0] : undefined;
}

function decimalWriter(precision: number, scale: number): Writer {
  const form = new RegExp(`^-?(\\d*)(?:\\.(\\d{0,${scale}})0*)?$`);
  return (value) => {
    if (typeof value !== 'number' && typeof value !== 'string') return undefined;
    const text = String(value);
    const match = form.exec(text);
    if (!match || !/\d/.test(text)) return undefined;
    return match[1]!.replace(/^0+/, '').length <= precision - scale ? text : undefined;
  };
}
