import { always, both, type CallSql, type FunctionEntry, literalText, NUMERIC, ofFirst } from './entry.ts';

const value = { name: 'value', accepts: NUMERIC } as const;
const float = { name: 'value', accepts: NUMERIC, asNumber: true } as const;

const isInteger = (call: CallSql) => call.types[0] === 'integer';

/** The largest float below which adding a half is exact. */
const LARGEST_ROUNDED = 4e15;
/** Moves a float that stands for the half of a unit, such as 2.675, across it: by two units of its last place. */
const NUDGE = 1 + 2 ** -51;

const digitsOf = (call: CallSql) => Number(literalText(call.literals[1]) || 0);

function roundExact(call: CallSql, toDecimal: (value: string) => string): string {
  const [x = ''] = call.args;
  const digits = digitsOf(call);
  if (!isInteger(call)) return `round(${x}, ${digits})`;
  return digits >= 0 ? call.operands[0]! : `round(${toDecimal(x)}, ${digits})`;
}

/**
 * Floats are rounded with the same operations in both engines, whose own functions differ: DuckDB rounds the binary
 * value, and Postgres halves to even.
 */
function roundFloat(call: CallSql): string {
  const [x = ''] = call.operands;
  const digits = digitsOf(call);
  const unit = 10 ** Math.abs(digits);
  const scaled = digits < 0 ? `abs(${x}) * ${NUDGE}e0 / ${unit}e0` : `abs(${x}) * ${floatText(unit * NUDGE)}`;
  const rounded = `sign(${x}) * floor(${scaled} + 0.5e0) ${digits < 0 ? '*' : '/'} ${unit}e0`;
  const limit = digits < 0 ? LARGEST_ROUNDED * unit : LARGEST_ROUNDED / unit;
  return `CASE WHEN abs(${x}) < ${floatText(limit)} THEN ${rounded} ELSE ${x} END`;
}

const floatText = (value: number) => value.toExponential().replace('e+', 'e');

const round = (call: CallSql, toDecimal: (value: string) => string) =>
  call.types[0] === 'number' ? roundFloat(call) : roundExact(call, toDecimal);

/** POWER is undefined for zero to a negative power and for a negative base to a fraction. */
function power({ operands: [base = '', exponent = ''], literals }: CallSql): string {
  const constant = literals[1] === undefined ? undefined : Number(literalText(literals[1]));
  if (constant !== undefined && constant >= 0 && Number.isInteger(constant)) return `power(${base}, ${exponent})`;
  if (constant !== undefined && constant >= 0) return `CASE WHEN ${base} >= 0 THEN power(${base}, ${exponent}) END`;
  const undefinedWhen = `${base} = 0 AND ${exponent} < 0 OR ${base} < 0 AND ${exponent} <> floor(${exponent})`;
  return `CASE WHEN ${undefinedWhen} THEN NULL ELSE power(${base}, ${exponent}) END`;
}

const nullable = 'Null gives null.';

export const NUMBER_FUNCTIONS: readonly FunctionEntry[] = [
  {
    name: 'ABS',
    kind: 'scalar',
    parameters: [value],
    returns: ofFirst,
    summary: 'The value without its sign.',
    nulls: nullable,
    example: ['ABS(-5)', '5'],
    emit: both(({ args }) => `abs(${args[0]})`),
  },
  {
    name: 'ROUND',
    kind: 'scalar',
    parameters: [
      value,
      { name: 'digits', accepts: ['integer'], literal: { is: 'integer', min: -15, max: 15 }, isOptional: true },
    ],
    returns: ofFirst,
    summary:
      'The value rounded to digits after the point (0 if omitted), halves away from zero; negative digits round to tens, hundreds and so on. Floats are rounded as the decimal number that they show, so 2.675 becomes 2.68; those with more than 15 digits stay.',
    nulls: nullable,
    example: ['ROUND(2.675, 2)', '2.68'],
    emit: {
      duckdb: (call) => round(call, (x) => `CAST(${x} AS DECIMAL(38, 0))`),
      postgres: (call) => round(call, (x) => `CAST(${x} AS numeric)`),
    },
  },
  {
    name: 'CEIL',
    kind: 'scalar',
    parameters: [value],
    returns: ofFirst,
    summary: 'The smallest whole number that is not below the value.',
    nulls: nullable,
    example: ['CEIL(1.2)', '2'],
    emit: both((call) => (isInteger(call) ? call.operands[0]! : `ceil(${call.args[0]})`)),
  },
  {
    name: 'FLOOR',
    kind: 'scalar',
    parameters: [value],
    returns: ofFirst,
    summary: 'The largest whole number that is not above the value.',
    nulls: nullable,
    example: ['FLOOR(-1.2)', '-2'],
    emit: both((call) => (isInteger(call) ? call.operands[0]! : `floor(${call.args[0]})`)),
  },
  {
    name: 'MOD',
    kind: 'scalar',
    parameters: [
      { name: 'dividend', accepts: ['integer', 'decimal'], isCommon: true },
      { name: 'divisor', accepts: ['integer', 'decimal'], isCommon: true },
    ],
    returns: ofFirst,
    summary: 'The remainder of a division of exact numbers, with the sign of the dividend.',
    nulls: 'Null or a divisor of zero gives null.',
    example: ['MOD(-7, 3)', '-1'],
    emit: both(({ args }) => `mod(${args[0]}, NULLIF(${args[1]}, 0))`),
  },
  {
    name: 'DIVIDE',
    kind: 'scalar',
    parameters: [
      { name: 'dividend', accepts: NUMERIC },
      { name: 'divisor', accepts: NUMERIC },
      { name: 'alternative', accepts: NUMERIC, isOptional: true },
    ],
    returns: always('number'),
    summary: 'The quotient as a float, or the alternative if there is no quotient.',
    nulls: 'Null or a divisor of zero gives the alternative, or null without one.',
    example: ['DIVIDE(1, 0, 0)', '0'],
    emit: {
      duckdb: ({ operands: [a], args: [, b, alternative] }) => orElse(`${a} / NULLIF(${b}, 0)`, alternative, 'DOUBLE'),
      postgres: ({ args: [a, b, alternative] }) =>
        orElse(`CAST(${a} AS double precision) / NULLIF(${b}, 0)`, alternative, 'double precision'),
    },
  },
  {
    name: 'POWER',
    kind: 'scalar',
    parameters: [
      { ...float, name: 'base' },
      { ...float, name: 'exponent' },
    ],
    returns: always('number'),
    summary: 'The base raised to the exponent.',
    nulls: 'Null gives null, and so do zero to a negative power and a negative base to a fraction.',
    example: ['POWER(2, 10)', '1024'],
    emit: both(power),
  },
  {
    name: 'SQRT',
    kind: 'scalar',
    parameters: [float],
    returns: always('number'),
    summary: 'The square root.',
    nulls: 'Null or a negative value gives null.',
    example: ['SQRT(16)', '4'],
    emit: both(({ operands: [x] }) => `CASE WHEN ${x} >= 0 THEN sqrt(${x}) END`),
  },
  {
    name: 'LN',
    kind: 'scalar',
    parameters: [float],
    returns: always('number'),
    summary: 'The natural logarithm.',
    nulls: 'Null, zero or a negative value gives null.',
    example: ['LN(1)', '0'],
    emit: both(({ operands: [x] }) => `CASE WHEN ${x} > 0 THEN ln(${x}) END`),
  },
  {
    name: 'EXP',
    kind: 'scalar',
    parameters: [float],
    returns: always('number'),
    summary: 'The number e raised to the value.',
    nulls: 'Null gives null, and so does a value above 700; a value below -700 gives 0.',
    example: ['EXP(0)', '1'],
    emit: both(({ operands: [x] }) => `CASE WHEN ${x} < -700 THEN 0 WHEN ${x} <= 700 THEN exp(${x}) END`),
  },
];

const orElse = (quotient: string, alternative: string | undefined, double: string) =>
  alternative === undefined ? `(${quotient})` : `COALESCE(${quotient}, CAST(${alternative} AS ${double}))`;
