import { decimalDigits } from '../../duckdb/column-types.ts';

/** The type of a table's column, as the server names it. */
export interface ColumnType {
  /** The base type of a domain with its limits, such as `numeric(10,2)`; otherwise the type itself. */
  base: string;
  /** `base` without limits. */
  bare: string;
  isDomain: boolean;
}

/** How to load values into a column that may not hold all of them. */
export interface Fit {
  /** The type in which they are staged until they have been checked. */
  stagedAs: string;
  /** SQL that is true for a non-null value that the column cannot hold unchanged. */
  misfit: (value: string) => string;
  /**
   * The values are staged as texts, which the server does not assign to the column. They are cast once they are known
   * to fit.
   */
  isReading?: true;
  /** A type that holds both these values and the existing ones; undefined if there is none. */
  wider?: string;
  /** SQL that converts an existing value to `wider`. */
  widened?: (value: string) => string;
}

const INTEGERS: Record<string, [least: string, most: string]> = {
  smallint: ['-32768', '32767'],
  integer: ['-2147483648', '2147483647'],
  bigint: ['-9223372036854775808', '9223372036854775807'],
};

/**
 * Describes values of the platform's type `type` that a column of the server's type `there` would round, truncate or
 * reject. Undefined if the column holds them all, or if the server parses them as text and decides itself.
 */
export function fitOf(there: ColumnType, type: string): Fit | undefined {
  const fit = typedFit(there.base, type) ?? textFit(there, type);
  if (!fit || !there.isDomain) return fit;
  // Widening would drop the constraints of the domain.
  const { wider: _, ...fixed } = fit;
  return fixed;
}

/** Fits of values that the server can hold in a type of their own and compare with what the column makes of them. */
function typedFit(there: string, type: string): Fit | undefined {
  if (type === 'string') return lengthFit(there);
  if (type === 'timestamp' || type === 'timestamptz') return dayFit(there, type);
  return isNumberType(type) ? numberFit(there, type) : undefined;
}

const isNumberType = (type: string) => type === 'integer' || type === 'double' || type.startsWith('decimal');

function numberFit(there: string, type: string): Fit | undefined {
  const range = INTEGERS[there];
  if (range) return integerFit(there, range, type);
  const numeric = /^numeric\((\d+),(-?\d+)\)$/.exec(there);
  if (numeric) return numericFit(Number(numeric[1]), Number(numeric[2]), type);
  if (there === 'double precision' || there === 'real') return floatFit(there, type);
  if (there === 'money') {
    return { stagedAs: 'numeric', misfit: (value) => `${value}::money::numeric <> ${value}` };
  }
  return undefined;
}

function integerFit(there: string, range: readonly [string, string], type: string): Fit | undefined {
  if (type === 'integer') {
    return there === 'bigint' ? undefined : { stagedAs: 'bigint', misfit: outside(range), wider: 'bigint' };
  }
  // Doubles are staged as decimals too: their texts are exact, whereas the server's own cast keeps only 15 digits.
  const misfit = (value: string) => `${value} <> trunc(${value}) OR ${outside(range)(value)}`;
  return { stagedAs: 'numeric', misfit, wider: 'numeric' };
}

/** Digits of any 64-bit integer. */
const INTEGER_DIGITS = { precision: 19, scale: 0 };

function numericFit(precision: number, scale: number, type: string): Fit | undefined {
  const digits = type === 'integer' ? INTEGER_DIGITS : decimalDigits(type);
  const isHeld = digits && digits.scale <= scale && digits.precision - digits.scale <= precision - scale;
  if (isHeld) return undefined;
  const misfit = (value: string) =>
    `${value} <> round(${value}, ${scale}) OR (abs(${value}) >= 10::numeric ^ ${precision - scale} AND ${value} <> 'NaN')`;
  return { stagedAs: 'numeric', misfit, wider: 'numeric' };
}

function floatFit(there: string, type: string): Fit | undefined {
  if (type !== 'double') {
    const back = (value: string) => `${value}::${there}::text::numeric`;
    const widened = (value: string) => `${value}::text::numeric`;
    return { stagedAs: 'numeric', misfit: (value) => `${back(value)} <> ${value}`, wider: 'numeric', widened };
  }
  if (there === 'double precision') return undefined;
  const misfit = (value: string) => `${value}::real::double precision <> ${value}`;
  return { stagedAs: 'double precision', misfit, wider: 'double precision' };
}

function dayFit(there: string, type: 'timestamp' | 'timestamptz'): Fit | undefined {
  if (there !== 'date') return undefined;
  const misfit = (value: string) => `${value} <> date_trunc('day', ${value})`;
  // A day has no time zone, so existing days cannot be widened to instants.
  return { stagedAs: type, misfit, ...(type === 'timestamp' ? { wider: 'timestamp without time zone' } : {}) };
}

function lengthFit(there: string): Fit | undefined {
  const length = /^character(?: varying)?\((\d+)\)$/.exec(there)?.[1];
  if (length === undefined) return undefined;
  return { stagedAs: 'text', misfit: (value) => `char_length(${value}) > ${length}`, wider: 'text' };
}

const TIMES: Record<string, readonly string[]> = {
  'timestamp without time zone': ['timestamp', 'timestamptz', 'date'],
  'timestamp with time zone': ['timestamp', 'timestamptz', 'date'],
  date: ['date'],
  'time without time zone': ['time'],
};

/**
 * The server silently drops parts of a text that it does not understand, so each result is compared with a wider one.
 */
const READINGS: Record<string, (value: string) => string> = {
  date: (value) => `${value}::timestamptz <> ${value}::date::timestamptz`,
  'timestamp without time zone': (value) => `${value}::timestamptz AT TIME ZONE 'UTC' <> ${value}::timestamp`,
  'timestamp with time zone': () => 'false',
  // A time cannot represent days or, without a time zone, offsets.
  'time without time zone': (value) => `${value} !~* '^\\s*\\d+:\\d+(:\\d+(\\.\\d+)?)?\\s*([ap]m)?\\s*$'`,
  'time with time zone': (value) =>
    `${value} !~* '^\\s*\\d+:\\d+(:\\d+(\\.\\d+)?)?\\s*([ap]m)?\\s*(z|[+-][0-9:]+)?\\s*$'`,
  interval: () => 'false',
  'double precision': (value) => inexact(value, 'double precision'),
  real: (value) => inexact(value, 'real'),
  money: (value) => `translate(${value}, '$,', '')::numeric <> ${value}::money::numeric`,
  name: (value) => `${value}::name::text <> ${value}`,
  '"char"': (value) => `${value}::"char"::text <> ${value}`,
};

/** Decimals of older servers have no infinities. */
const inexact = (value: string, type: string) =>
  `CASE WHEN ${value} !~* 'inf|nan' THEN ${value}::numeric <> ${value}::${type}::text::numeric ELSE false END`;

/** The server stores microseconds and rounds finer fractions. */
const tooFine = (value: string) => `${value} ~ '\\.\\d{6}\\d*[1-9]'`;

function textFit({ base, bare }: ColumnType, type: string): Fit | undefined {
  const isTimed = TIMES[bare]?.includes(type) ?? false;
  const isLimited = base !== bare;
  if (isTimed && !isLimited) return undefined;
  const reading = READINGS[bare];
  const item = bare.replace(/\[\]$/, '');
  // Items cannot be compared one by one, so the list must be unchanged when it is written back.
  const asWritten =
    item !== bare && READINGS[item] ? (value: string) => `${value}::${base}::text <> ${value}` : undefined;
  // `typedFit` has checked numbers, and the server enforces limits of text and bits.
  if (isNumberType(type) && /^(smallint|integer|bigint|numeric|real|double precision)$/.test(bare)) return undefined;
  if (!isLimited && !reading && !asWritten) return undefined;
  if (/^(character|character varying|bpchar)$/.test(bare)) return undefined;
  const misfit = (value: string) =>
    [
      ...(reading ? [reading(value)] : []),
      ...(/^(time|interval)/.test(bare) ? [tooFine(value)] : []),
      ...(asWritten ? [asWritten(value)] : []),
      ...(isLimited ? [`${value}::${bare} <> ${value}::${base}::${bare}`] : []),
    ].join(' OR ');
  return { stagedAs: 'text', misfit, isReading: true, ...(isTimed ? { wider: bare } : {}) };
}

const outside =
  ([least, most]: readonly [string, string]) =>
  (value: string) =>
    `${value} NOT BETWEEN ${least} AND ${most}`;
