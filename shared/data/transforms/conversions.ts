import { quoteLiteral } from '../duckdb/quoting.ts';
import {
  CALENDAR_DAY,
  call,
  convert,
  type DataType,
  type Dialect,
  integerConstant,
  sqlType,
  type Typed,
  textLiteral,
} from '../expressions/index.ts';
import { readDateFormat } from './date-formats.ts';

export interface ConversionContext {
  dialect: Dialect;
  timezone: string;
  /** Writes an expression. */
  sql: (tree: Typed) => string;
}

/** The types that values of a type convert to, besides their own. */
const TARGETS: Record<DataType, readonly DataType[]> = {
  string: ['number', 'integer', 'decimal', 'boolean', 'date', 'datetime', 'time'],
  number: ['string', 'integer', 'decimal', 'boolean'],
  integer: ['string', 'number', 'decimal', 'boolean'],
  decimal: ['string', 'number', 'integer', 'boolean'],
  boolean: ['string', 'number', 'integer', 'decimal'],
  date: ['string', 'datetime'],
  datetime: ['string', 'date', 'time'],
  time: ['string'],
  geo: ['string'],
};

export const convertsTo = (from: DataType, to: DataType): boolean => from === to || TARGETS[from].includes(to);

/** The value as another type, which `convertsTo` allows: null if it does not convert. */
export function conversion(value: Typed, to: DataType, context: ConversionContext, format?: string): string {
  const from = value.type as DataType;
  const { sql } = context;
  if (from === to) return sql(value);
  if (from === 'string' && to !== 'number') return new TextConversions(context).convert(sql(value), to, format);
  if (from === 'boolean' && to !== 'string')
    return `CAST(CASE WHEN ${sql(value)} THEN 1 WHEN NOT ${sql(value)} THEN 0 END AS ${typeName(context, to)})`;
  switch (to) {
    case 'string':
      return sql(call('TO_TEXT', [value], 'string'));
    case 'number':
      return sql(call('TO_NUMBER', [value], 'number'));
    case 'integer':
      return rounded(value, context);
    case 'decimal':
      return from === 'integer' ? sql(convert(value, 'decimal')) : decimalOfFloat(sql(value), context);
    case 'boolean':
      return `(${sql(value)} <> 0)`;
    case 'date':
      return sql(call('TO_DATE', [value], 'date'));
    case 'datetime':
      return sql(convert(value, 'datetime'));
    default:
      return `CAST((${sql(value)} AT TIME ZONE ${quoteLiteral(context.timezone)}) AS time)`;
  }
}

const typeName = ({ dialect }: ConversionContext, type: DataType) => sqlType(dialect, type);

/** The nearest integer, halves away from zero; null beyond 64 bits. */
function rounded(value: Typed, { dialect, sql }: ConversionContext): string {
  const whole = sql(call('ROUND', [value, integerConstant(0)], value.type as DataType));
  if (dialect === 'duckdb') return `TRY_CAST(${whole} AS BIGINT)`;
  const range = `${sql(value)} >= -9223372036854775808 AND ${sql(value)} < 9223372036854775807.5`;
  return `CASE WHEN ${range} THEN CAST(${whole} AS bigint) END`;
}

/** The decimal number that a float shows with 15 digits, rounded to nine places. */
function decimalOfFloat(value: string, { dialect }: ConversionContext): string {
  const decimal =
    dialect === 'duckdb'
      ? `TRY_CAST(format('{:.15g}', ${value}) AS DECIMAL(38, 9))`
      : `round(CAST(${value} AS numeric), 9)`;
  return `CASE WHEN abs(${value}) < 1e28 THEN ${decimal} END`;
}

const DECIMAL = '^[+-]?(?:[0-9]{1,28}(?:[.][0-9]{0,100})?|[.][0-9]{1,100})$';
const CLOCK = '(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,6})?)?';
const OFFSET = '(?:Z|[+-](?:0[0-9]|1[0-3]):[0-5][0-9])';
const DAY = `^${CALENDAR_DAY}$`;
const WALL = `^${CALENDAR_DAY}(?:[T ]${CLOCK})?$`;
const INSTANT = `^${CALENDAR_DAY}[T ]${CLOCK}${OFFSET}$`;
const TRUE = "('true', 't', 'yes', 'y', '1')";
const FALSE = "('false', 'f', 'no', 'n', '0')";

/**
 * Reads values from texts, whatever their form is. A regular expression lets only those pass that both engines read,
 * because a cast of another text would end the statement in Postgres.
 */
class TextConversions {
  readonly #context: ConversionContext;

  constructor(context: ConversionContext) {
    this.#context = context;
  }

  convert(value: string, to: DataType, format: string | undefined): string {
    const text = this.#isDuckDb ? `trim(${value}, ' ')` : `btrim(${value}, ' ')`;
    switch (to) {
      case 'decimal':
        return this.#decimal(text);
      case 'integer':
        return this.#integer(text);
      case 'boolean': {
        const lower = this.#isDuckDb ? `lower(${text})` : `lower(${text} COLLATE "C")`;
        return `CASE WHEN ${lower} IN ${TRUE} THEN TRUE WHEN ${lower} IN ${FALSE} THEN FALSE END`;
      }
      case 'date':
        return this.#cast(this.#matching(format ? this.#date(text, format) : text, DAY), 'date');
      case 'time':
        return this.#cast(this.#matching(format ? this.#clock(text, format) : text, `^${CLOCK}$`), 'time');
      case 'datetime':
        return this.#datetime(text, format);
      default:
        return value;
    }
  }

  get #isDuckDb(): boolean {
    return this.#context.dialect === 'duckdb';
  }

  #decimal(text: string): string {
    const decimal = this.#cast(this.#matching(text, DECIMAL), typeName(this.#context, 'decimal'));
    return this.#isDuckDb ? decimal : `round(${decimal}, 9)`;
  }

  #integer(text: string): string {
    const whole = `round(${this.#decimal(text)}, 0)`;
    if (this.#isDuckDb) return `TRY_CAST(${whole} AS BIGINT)`;
    return `CASE WHEN ${whole} BETWEEN -9223372036854775808 AND 9223372036854775807 THEN CAST(${whole} AS bigint) END`;
  }

  #datetime(text: string, format: string | undefined): string {
    const { timezone } = this.#context;
    const wall = format ? `${this.#date(text, format)} || ' ' || ${this.#clock(text, format)}` : text;
    const local = `(${this.#cast(this.#matching(wall, WALL), 'timestamp')} AT TIME ZONE ${quoteLiteral(timezone)})`;
    return format ? local : `COALESCE(${this.#cast(this.#matching(text, INSTANT), 'timestamptz')}, ${local})`;
  }

  /** The text if the whole of it matches; else null or the empty text. */
  #matching(text: string, pattern: string): string {
    return this.#isDuckDb ? `regexp_extract(${text}, '${pattern}')` : `substring(${text} FROM '${pattern}')`;
  }

  #cast(text: string, type: string): string {
    return `${this.#isDuckDb ? 'TRY_CAST' : 'CAST'}(${text} AS ${type})`;
  }

  #date(text: string, format: string): string {
    const part = this.#parts(text, format);
    return `${part('Y')} || '-' || ${part('m')} || '-' || ${part('d')}`;
  }

  #clock(text: string, format: string): string {
    const part = this.#parts(text, format);
    return `${part('H')} || ':' || ${part('M')} || ':' || ${part('S')}`;
  }

  /** The digits of a part with zeros before them; a part that the format does not have is zero. */
  #parts(text: string, format: string) {
    const { pattern, groups } = readDateFormat(format)!;
    const quoted = textLiteral(pattern, this.#context.dialect);
    return (part: keyof typeof groups): string => {
      const group = groups[part];
      if (group === undefined) return "'00'";
      const found = this.#isDuckDb
        ? `regexp_extract(${text}, ${quoted}, ${group})`
        : `(regexp_match(${text}, ${quoted}))[${group}]`;
      return part === 'Y' ? found : `lpad(${found}, 2, '0')`;
    };
  }
}
