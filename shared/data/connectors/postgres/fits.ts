/** The type of a column of a table, in the server's words. */
export interface ColumnType {
  /** What a domain is over, with its limits, such as `numeric(10,2)`; the type itself where it is no domain. */
  base: string;
  /** `base` without limits. */
  bare: string;
  isDomain: boolean;
}

/** How values of a column of ours go into a column of a table that may not hold all of them. */
export interface Fit {
  /** The type they wait in until it is known whether they fit. */
  stagedAs: string;
  /** SQL that is true of a value, not null, that the column does not hold as it is. */
  misfit: (value: string) => string;
  /** They wait as texts, which the server does not assign to the column: they become of its type once they are known to fit. */
  isReading?: true;
  /** A type of the table that holds these values and those that are there; undefined when there is none. */
  wider?: string;
  /** SQL of a value that is there in that type. */
  widened?: (value: string) => string;
}

const INTEGERS: Record<string, [least: string, most: string]> = {
  smallint: ['-32768', '32767'],
  integer: ['-2147483648', '2147483647'],
  bigint: ['-9223372036854775808', '9223372036854775807'],
};

/**
 * What the server would round, cut off or refuse when values of our type `type` go into a column of the server's type
 * `there`; undefined where it holds them all, or parses each one as text and so decides by itself.
 */
export function fitOf(there: ColumnType, type: string): Fit | undefined {
  const fit = typedFit(there.base, type) ?? textFit(there, type);
  if (!fit || !there.isDomain) return fit;
  // What a domain demands must not get lost.
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
  if (numeric) return numericFit(Number(numeric[1]), Number(numeric[2]));
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

function numericFit(precision: number, scale: number): Fit {
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

/** Of texts the server takes what it understands, and drops the rest without a word: each reading is held against a wider one. */
const READINGS: Record<string, (value: string) => string> = {
  date: (value) => `${value}::timestamptz <> ${value}::date::timestamptz`,
  'timestamp without time zone': (value) => `${value}::timestamptz AT TIME ZONE 'UTC' <> ${value}::timestamp`,
  'timestamp with time zone': () => 'false',
  // Days and, without a zone of its own, offsets have no place in it.
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

/** Infinities have no place in the decimals of older servers. */
const inexact = (value: string, type: string) =>
  `CASE WHEN ${value} !~* 'inf|nan' THEN ${value}::numeric <> ${value}::${type}::text::numeric ELSE false END`;

/** The server counts microseconds and rounds what is finer. */
const tooFine = (value: string) => `${value} ~ '\\.\\d{6}\\d*[1-9]'`;

function textFit({ base, bare }: ColumnType, type: string): Fit | undefined {
  const isTimed = TIMES[bare]?.includes(type) ?? false;
  const isLimited = base !== bare;
  if (isTimed && !isLimited) return undefined;
  const reading = READINGS[bare];
  const item = bare.replace(/\[\]$/, '');
  // Items are not reached one by one: a list must come back as it was written.
  const asWritten =
    item !== bare && READINGS[item] ? (value: string) => `${value}::${base}::text <> ${value}` : undefined;
  // Numbers have been checked as such, and a limit of text or of bits is the server's to hold.
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
