import { always, both, type CallSql, type FunctionEntry, literalText, NUMERIC, ofFirst } from './entry.ts';

const value = { name: 'value', accepts: NUMERIC } as const;
const float = { name: 'value', accepts: NUMERIC, asNumber: true } as const;

/** Doubles above this have no digits after the point that ROUND could change. */
const LARGEST_ROUNDED = '1e15';

const isInteger = (call: CallSql) => call.types[0] === 'integer';

function round(call: CallSql, exact: (value: string) => string, double: string): string {
  const [x = ''] = call.args;
  const [operand = ''] = call.operands;
  const digits = Number(literalText(call.literals[1]) || 0);
  if (isInteger(call)) return digits >= 0 ? operand : `round(${exact(x)}, ${digits})`;
  if (call.types[0] === 'decimal') return `round(${x}, ${digits})`;
  const rounded = `CAST(round(${exact(x)}, ${digits}) AS ${double})`;
  const other = digits < 0 ? `round(${operand} * 1e${digits}) * 1e${-digits}` : x;
  return `CASE WHEN abs(${x}) < ${LARGEST_ROUNDED} THEN ${rounded} ELSE ${other} END`;
}

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
      'The value rounded to digits after the point (0 if omitted), halves away from zero; negative digits round to tens, hundreds and so on. Floats are rounded as the decimal number with 15 significant digits that they show, so 2.675 becomes 2.68.',
    nulls: nullable,
    example: ['ROUND(2.675, 2)', '2.68'],
    emit: {
      duckdb: (call) =>
        round(
          call,
          (x) =>
            isInteger(call) ? `CAST(${x} AS DECIMAL(38, 0))` : `CAST(format('{:.15g}', ${x}) AS DECIMAL(38, 20))`,
          'DOUBLE',
        ),
      postgres: (call) => round(call, (x) => `CAST(${x} AS numeric)`, 'double precision'),
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
