import { castTo } from './casts.ts';
import { type FunctionRule, literal, notPortable, readInteger, rule, same } from './function-table.ts';
import { text } from './literals.ts';
import { sharedPattern, sharedReplacement } from './patterns.ts';
import type { Typed } from './typed.ts';

/** What DuckDB trims: all kinds of spaces, but neither tabs nor line ends. */
export const SPACES = text(
  String.fromCodePoint(0x20, 0xa0, 0x1680, ...span(0x2000, 0x200a), 0x202f, 0x205f, 0x3000),
).sql;

function span(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** The value as text, formatted as in DuckDB. */
export function asText(value: Typed): string {
  if (value.type === 'null') return 'CAST(NULL AS varchar)';
  return castTo(value, 'string', false)?.sql ?? notPortable(`a ${value.type} is formatted differently in Athena`);
}

const trimming = (side: string): FunctionRule[] => [
  rule(['string'], 'string', (value) => `trim(${side} ${SPACES} FROM ${value.sql})`),
  rule(['string', 'string'], 'string', (value, signs) => `trim(${side} ${signs.sql} FROM ${value.sql})`),
];

/** NULL if the text is NULL, and `otherwise` if nothing is found. */
const found = (value: Typed, search: string, otherwise: string) =>
  `CASE WHEN ${value.sql} IS NOT NULL THEN coalesce(${search}, ${otherwise}) END`;

export function pattern(arg: Typed | undefined): string {
  const shared = sharedPattern(literal(arg, 'the pattern'));
  return shared ?? notPortable('the pattern has parts that Athena reads differently');
}

const padded = (name: string): FunctionRule =>
  rule(['string', 'integer', 'string'], 'string', (value, size, fill) => {
    if (literal(fill, 'the filling') === '') notPortable('the filling must not be empty');
    return `${name}(${value.sql}, ${readInteger(size, 'the length', 0)}, ${fill!.sql})`;
  });

const lower = [same('lower', ['string'], 'string')];
const upper = [same('upper', ['string'], 'string')];
const length = [same('length', ['string'], 'integer')];
const startsWith = [same('starts_with', ['string', 'string'], 'boolean')];
const endsWith = [
  rule(['string', 'string'], 'boolean', (value, end) => `(substr(${value.sql}, -length(${end.sql})) = ${end.sql})`),
];
const position = [same('strpos', ['string', 'string'], 'integer')];
const part = [
  rule(['string', 'integer'], 'string', (value, from) => `substr(${value.sql}, ${readInteger(from, 'the start', 1)})`),
  rule(['string', 'integer', 'integer'], 'string', (value, from, size) => {
    return `substr(${value.sql}, ${readInteger(from, 'the start', 1)}, ${readInteger(size, 'the length', 0)})`;
  }),
];

export const TEXT_FUNCTIONS: Record<string, FunctionRule[]> = {
  lower,
  lcase: lower,
  upper,
  ucase: upper,
  length,
  len: length,
  char_length: length,
  character_length: length,
  strlen: [rule(['string'], 'integer', (value) => `length(to_utf8(${value.sql}))`)],
  trim: trimming('BOTH'),
  ltrim: trimming('LEADING'),
  rtrim: trimming('TRAILING'),
  replace: [
    rule(['string', 'string', 'string'], 'string', (value, from, to) => {
      if (literal(from, 'the text to replace') === '') notPortable('the text to replace must not be empty');
      return `replace(${value.sql}, ${from!.sql}, ${to!.sql})`;
    }),
  ],
  substring: part,
  substr: part,
  left: [
    rule(
      ['string', 'integer'],
      'string',
      (value, size) => `substr(${value.sql}, 1, ${readInteger(size, 'the length', 0)})`,
    ),
  ],
  right: [
    rule(['string', 'integer'], 'string', (value, size) => {
      return `substr(${value.sql}, greatest(length(${value.sql}) - ${readInteger(size, 'the length', 0)}, 0) + 1)`;
    }),
  ],
  concat: [
    rule(
      [],
      'string',
      (...values) => {
        const texts = values.map((value) => `coalesce(${asText(value)}, '')`);
        return texts.length > 1 ? `concat(${texts.join(', ')})` : (texts[0] ?? notPortable('concat needs a value'));
      },
      'any',
    ),
  ],
  concat_ws: [
    rule(
      ['string'],
      'string',
      (separator, ...values) => {
        return `concat_ws(${separator!.sql}, ${values.map(asText).join(', ')})`;
      },
      'any',
    ),
  ],
  '||': [rule(['any', 'any'], 'string', (a, b) => `(${asText(a!)} || ${asText(b!)})`)],
  contains: [rule(['string', 'string'], 'boolean', (value, piece) => `(strpos(${value.sql}, ${piece!.sql}) > 0)`)],
  starts_with: startsWith,
  prefix: startsWith,
  '^@': startsWith,
  ends_with: endsWith,
  suffix: endsWith,
  strpos: position,
  instr: position,
  position,
  split_part: [
    rule(['string', 'string', 'integer'], 'string', (value, delimiter, index) => {
      if (literal(delimiter, 'the delimiter') === '') notPortable('the delimiter must not be empty');
      return found(value, `split_part(${value.sql}, ${delimiter!.sql}, ${readInteger(index, 'the part', 1)})`, "''");
    }),
  ],
  lpad: [padded('lpad')],
  rpad: [padded('rpad')],
  '~~': [rule(['string', 'string'], 'boolean', (value, like) => `(${value.sql} LIKE ${like!.sql})`)],
  '!~~': [rule(['string', 'string'], 'boolean', (value, like) => `(${value.sql} NOT LIKE ${like!.sql})`)],
  '~~*': [rule(['string', 'string'], 'boolean', (value, like) => `(lower(${value.sql}) LIKE lower(${like!.sql}))`)],
  '!~~*': [
    rule(['string', 'string'], 'boolean', (value, like) => `(lower(${value.sql}) NOT LIKE lower(${like!.sql}))`),
  ],
  like_escape: [
    rule(['string', 'string', 'string'], 'boolean', (value, like, sign) => {
      return `(${value.sql} LIKE ${like!.sql} ESCAPE ${sign!.sql})`;
    }),
  ],
  regexp_matches: [
    rule(['string', 'string'], 'boolean', (value, wanted) => `regexp_like(${value.sql}, ${text(pattern(wanted)).sql})`),
  ],
  regexp_full_match: [
    rule(['string', 'string'], 'boolean', (value, wanted) => {
      return `regexp_like(${value.sql}, ${text(`\\A(?:${pattern(wanted)})\\z`).sql})`;
    }),
  ],
  regexp_extract: [
    rule(['string', 'string'], 'string', (value, wanted) => {
      return found(value, `regexp_extract(${value.sql}, ${text(pattern(wanted)).sql})`, "''");
    }),
    rule(['string', 'string', 'integer'], 'string', (value, wanted, group) => {
      const index = readInteger(group, 'the group', 0);
      return found(value, `regexp_extract(${value.sql}, ${text(pattern(wanted)).sql}, ${index})`, "''");
    }),
  ],
  regexp_replace: [
    rule(['string', 'string', 'string'], 'string', () =>
      notPortable('it replaces the first match only, Athena every one'),
    ),
    rule(['string', 'string', 'string', 'string'], 'string', (value, wanted, to, options) => {
      if (literal(options, 'the options') !== 'g') notPortable("the options must be 'g'");
      const replacement = sharedReplacement(literal(to, 'the replacement'));
      if (replacement === undefined)
        notPortable('the replacement refers to a group in a way that Athena does not support');
      return `regexp_replace(${value.sql}, ${text(pattern(wanted)).sql}, ${text(replacement).sql})`;
    }),
  ],
};
