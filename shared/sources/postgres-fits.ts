/** How values of a column of ours go into a column of a table that may not hold all of them. */
export interface Fit {
  /** The type they wait in until it is known whether they fit. */
  stagedAs: string;
  /** SQL that is true of a value, not null, that the column does not hold as it is. */
  misfit: (value: string) => string;
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
export function fitOf(there: string, type: string): Fit | undefined {
  const isNumber = type === 'integer' || type === 'double' || type.startsWith('decimal');
  const integer = INTEGERS[there];
  if (integer && type === 'integer') {
    return there === 'bigint' ? undefined : { stagedAs: 'bigint', misfit: outside(integer), wider: 'bigint' };
  }
  if (integer && isNumber) {
    // Doubles wait as decimals too: their texts are exact, and the server's own cast keeps 15 digits only.
    const misfit = (value: string) => `${value} <> trunc(${value}) OR ${outside(integer)(value)}`;
    return { stagedAs: 'numeric', misfit, wider: 'numeric' };
  }
  const numeric = /^numeric\((\d+),(-?\d+)\)$/.exec(there);
  if (numeric && isNumber) {
    const [precision, scale] = numeric.slice(1).map(Number) as [number, number];
    const misfit = (value: string) =>
      `${value} <> round(${value}, ${scale}) OR (abs(${value}) >= 10::numeric ^ ${precision - scale} AND ${value} <> 'NaN')`;
    return { stagedAs: 'numeric', misfit, wider: 'numeric' };
  }
  if ((there === 'double precision' || there === 'real') && (type === 'integer' || type.startsWith('decimal'))) {
    const back = (value: string) => `${value}::${there}::text::numeric`;
    const widened = (value: string) => `${value}::text::numeric`;
    return { stagedAs: 'numeric', misfit: (value) => `${back(value)} <> ${value}`, wider: 'numeric', widened };
  }
  if (there === 'real' && type === 'double') {
    const misfit = (value: string) => `${value}::real::double precision <> ${value}`;
    return { stagedAs: 'double precision', misfit, wider: 'double precision' };
  }
  if (there === 'date' && (type === 'timestamp' || type === 'timestamptz')) {
    const misfit = (value: string) => `${value} <> date_trunc('day', ${value})`;
    // A day has no zone, so nobody can tell which instant it would become.
    return { stagedAs: type, misfit, ...(type === 'timestamp' ? { wider: 'timestamp without time zone' } : {}) };
  }
  const length = /^character(?: varying)?\((\d+)\)$/.exec(there)?.[1];
  if (length !== undefined && type === 'string') {
    return { stagedAs: 'text', misfit: (value) => `char_length(${value}) > ${length}`, wider: 'text' };
  }
  return undefined;
}

const outside =
  ([least, most]: readonly [string, string]) =>
  (value: string) =>
    `${value} NOT BETWEEN ${least} AND ${most}`;
