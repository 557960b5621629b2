import { asDouble, type FunctionRule, first, notPortable, readInteger, rule, same } from './function-table.ts';
import { where } from './raise.ts';
import { commonType, digitsOf, fits, type Typed, trinoTypeOf } from './typed.ts';

const common = (args: readonly Typed[]) => args.map(({ type }) => type).reduce((a, b) => commonType(a, b) ?? 'unknown');

const calculated = (sign: '+' | '-'): FunctionRule =>
  rule(['number', 'number'], common, (a, b) => `(${a.sql} ${sign} ${b!.sql})`);

/** The type of a product: digits after the decimal point add up, and so do those before it. */
function product(args: readonly Typed[]): string {
  const type = common(args);
  if (type === 'double' || type === 'integer') return type;
  const [a, b] = args.map((arg) => digitsOf(arg.type));
  if (!a || !b) return type;
  return `decimal(${Math.min(38, a.precision + b.precision)},${a.scale + b.scale})`;
}

/** The type without digits after the decimal point, with one more digit before it for rounding up. */
const wholeOf = (args: readonly Typed[]) => {
  const type = first(args);
  const digits = digitsOf(type);
  return !digits || type === 'integer' ? type : `decimal(${Math.min(38, digits.precision - digits.scale + 1)},0)`;
};

const rounded = (args: readonly Typed[]) => {
  const [digits, wanted] = [digitsOf(first(args)), args[1]?.number];
  if (!digits || first(args) === 'integer' || wanted === undefined) return first(args);
  return `decimal(${digits.precision},${Math.max(0, Math.min(digits.scale, wanted))})`;
};

/** In DuckDB, the remainder and the quotient of a division by zero are NULL; Trino fails. */
const orNull = ({ sql, number }: Typed) => (number !== undefined && number !== 0 ? sql : `nullif(${sql}, 0)`);
const remainder = [rule(['exact', 'exact'], common, (a, b) => `(${a.sql} % ${orNull(b!)})`)];

const ceiling = [same('ceiling', ['number'], wholeOf)];
const power = [rule(['number', 'number'], 'double', (a, b) => `power(${asDouble(a)}, ${asDouble(b!)})`)];

/** Makes Trino fail where DuckDB fails; otherwise it would continue with NaN. */
const logarithm = (name: string): FunctionRule[] => [
  rule(['number'], 'double', (value) => {
    const number = asDouble(value);
    return `${name}(${where(`${number} > 0`, number, `${name} of a number that is not above zero`)})`;
  }),
];

/** DuckDB ignores NULLs, while in Trino a single one makes the result NULL. */
const outermost = (fold: string): FunctionRule[] => [
  rule(
    ['any'],
    common,
    (...values) => {
      const type = common(values);
      const word = trinoTypeOf(type) ?? notPortable('the values are of several types');
      if (type === 'double') notPortable('Athena sorts NaN differently');
      const cast = values.map(({ sql }) => `CAST(${sql} AS ${word})`);
      return `${fold}(filter(ARRAY[${cast.join(', ')}], item -> item IS NOT NULL))`;
    },
    'any',
  ),
];

export const NUMBER_FUNCTIONS: Record<string, FunctionRule[]> = {
  '+': [calculated('+')],
  '-': [rule(['number'], first, (value) => `(- ${value.sql})`), calculated('-')],
  '*': [rule(['number', 'number'], product, (a, b) => `(${a.sql} * ${b!.sql})`)],
  // Division uses doubles, even for integers.
  '/': [rule(['number', 'number'], 'double', (a, b) => `(${asDouble(a)} / ${asDouble(b!)})`)],
  '//': [rule(['integer', 'integer'], 'integer', (a, b) => `(${a.sql} / ${orNull(b!)})`)],
  '%': remainder,
  mod: remainder,
  abs: [same('abs', ['number'], first)],
  sign: [rule(['number'], 'integer', (value) => `CAST(sign(${value.sql}) AS bigint)`)],
  ceil: ceiling,
  ceiling,
  floor: [same('floor', ['number'], wholeOf)],
  trunc: [same('truncate', ['number'], wholeOf)],
  round: [
    same('round', ['number'], wholeOf),
    rule(['number', 'integer'], rounded, (value, digits) => {
      if (fits(value.type, 'integer')) return value.sql;
      return `round(${value.sql}, ${readInteger(digits, 'the digits', 0)})`;
    }),
  ],
  exp: [rule(['number'], 'double', (value) => `exp(${asDouble(value)})`)],
  ln: logarithm('ln'),
  log: logarithm('log10'),
  log10: logarithm('log10'),
  log2: logarithm('log2'),
  sqrt: [
    rule(['number'], 'double', (value) => {
      const number = asDouble(value);
      return `sqrt(${where(`${number} >= 0`, number, 'The square root of a negative number')})`;
    }),
  ],
  power,
  pow: power,
  '**': power,
  '^': power,
  greatest: outermost('array_max'),
  least: outermost('array_min'),
  isnan: [same('is_nan', ['number'], 'boolean')],
};
