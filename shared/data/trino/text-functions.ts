import { castTo } from './casts.ts';
import { literal, no, type Saying, same, say, written } from './function-table.ts';
import { text } from './literals.ts';
import { sharedPattern, sharedReplacement } from './patterns.ts';
import type { Typed } from './typed.ts';

/** What DuckDB trims: spaces of all kinds, and neither tabs nor line ends. */
export const SPACES = text(
  String.fromCodePoint(0x20, 0xa0, 0x1680, ...span(0x2000, 0x200a), 0x202f, 0x205f, 0x3000),
).sql;

function span(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** The value as text, as DuckDB writes it. */
export function asText(value: Typed): string {
  if (value.type === 'null') return 'CAST(NULL AS varchar)';
  return castTo(value, 'string', false)?.sql ?? no(`a ${value.type} has another text in Athena`);
}

const trimming = (side: string): Saying[] => [
  say(['string'], 'string', (value) => `trim(${side} ${SPACES} FROM ${value.sql})`),
  say(['string', 'string'], 'string', (value, signs) => `trim(${side} ${signs.sql} FROM ${value.sql})`),
];

/** Without a value where the text has none, and `otherwise` where the search finds nothing. */
const found = (value: Typed, search: string, otherwise: string) =>
  `CASE WHEN ${value.sql} IS NOT NULL THEN coalesce(${search}, ${otherwise}) END`;

export function pattern(arg: Typed | undefined): string {
  const shared = sharedPattern(literal(arg, 'the pattern'));
  return shared ?? no('the pattern has parts that Athena reads differently');
}

const padded = (name: string): Saying =>
  say(['string', 'integer', 'string'], 'string', (value, size, fill) => {
    if (literal(fill, 'the filling') === '') no('the filling must not be empty');
    return `${name}(${value.sql}, ${written(size, 'the length', 0)}, ${fill!.sql})`;
  });

const lower = [same('lower', ['string'], 'string')];
const upper = [same('upper', ['string'], 'string')];
const length = [same('length', ['string'], 'integer')];
const startsWith = [same('starts_with', ['string', 'string'], 'boolean')];
const endsWith = [
  say(['string', 'string'], 'boolean', (value, end) => `(substr(${value.sql}, -length(${end.sql})) = ${end.sql})`),
];
const position = [same('strpos', ['string', 'string'], 'integer')];
const part = [
  say(['string', 'integer'], 'string', (value, from) => `substr(${value.sql}, ${written(from, 'the start', 1)})`),
  say(['string', 'integer', 'integer'], 'string', (value, from, size) => {
    return `substr(${value.sql}, ${written(from, 'the start', 1)}, ${written(size, 'the length', 0)})`;
  }),
];

export const TEXT_FUNCTIONS: Record<string, Saying[]> = {
  lower,
  lcase: lower,
  upper,
  ucase: upper,
  length,
  len: length,
  char_length: length,
  character_length: length,
  strlen: [say(['string'], 'integer', (value) => `length(to_utf8(${value.sql}))`)],
  trim: trimming('BOTH'),
  ltrim: trimming('LEADING'),
  rtrim: trimming('TRAILING'),
  replace: [
    say(['string', 'string', 'string'], 'string', (value, from, to) => {
      if (literal(from, 'what is replaced') === '') no('what is replaced must not be empty');
      return `replace(${value.sql}, ${from!.sql}, ${to!.sql})`;
    }),
  ],
  substring: part,
  substr: part,
  left: [
    say(['string', 'integer'], 'string', (value, size) => `substr(${value.sql}, 1, ${written(size, 'the length', 0)})`),
  ],
  right: [
    say(['string', 'integer'], 'string', (value, size) => {
      return `substr(${value.sql}, greatest(length(${value.sql}) - ${written(size, 'the length', 0)}, 0) + 1)`;
    }),
  ],
  concat: [
    say(
      [],
      'string',
      (...values) => {
        const texts = values.map((value) => `coalesce(${asText(value)}, '')`);
        return texts.length > 1 ? `concat(${texts.join(', ')})` : (texts[0] ?? no('concat needs a value'));
      },
      'any',
    ),
  ],
  concat_ws: [
    say(
      ['string'],
      'string',
      (separator, ...values) => {
        return `concat_ws(${separator!.sql}, ${values.map(asText).join(', ')})`;
      },
      'any',
    ),
  ],
  '||': [say(['any', 'any'], 'string', (a, b) => `(${asText(a!)} || ${asText(b!)})`)],
  contains: [say(['string', 'string'], 'boolean', (value, piece) => `(strpos(${value.sql}, ${piece!.sql}) > 0)`)],
  starts_with: startsWith,
  prefix: startsWith,
  '^@': startsWith,
  ends_with: endsWith,
  suffix: endsWith,
  strpos: position,
  instr: position,
  position,
  split_part: [
    say(['string', 'string', 'integer'], 'string', (value, delimiter, index) => {
      if (literal(delimiter, 'the delimiter') === '') no('the delimiter must not be empty');
      return found(value, `split_part(${value.sql}, ${delimiter!.sql}, ${written(index, 'the part', 1)})`, "''");
    }),
  ],
  lpad: [padded('lpad')],
  rpad: [padded('rpad')],
  '~~': [say(['string', 'string'], 'boolean', (value, like) => `(${value.sql} LIKE ${like!.sql})`)],
  '!~~': [say(['string', 'string'], 'boolean', (value, like) => `(${value.sql} NOT LIKE ${like!.sql})`)],
  '~~*': [say(['string', 'string'], 'boolean', (value, like) => `(lower(${value.sql}) LIKE lower(${like!.sql}))`)],
  '!~~*': [say(['string', 'string'], 'boolean', (value, like) => `(lower(${value.sql}) NOT LIKE lower(${like!.sql}))`)],
  like_escape: [
    say(['string', 'string', 'string'], 'boolean', (value, like, sign) => {
      return `(${value.sql} LIKE ${like!.sql} ESCAPE ${sign!.sql})`;
    }),
  ],
  regexp_matches: [
    say(['string', 'string'], 'boolean', (value, wanted) => `regexp_like(${value.sql}, ${text(pattern(wanted)).sql})`),
  ],
  regexp_full_match: [
    say(['string', 'string'], 'boolean', (value, wanted) => {
      return `regexp_like(${value.sql}, ${text(`\\A(?:${pattern(wanted)})\\z`).sql})`;
    }),
  ],
  regexp_extract: [
    say(['string', 'string'], 'string', (value, wanted) => {
      return found(value, `regexp_extract(${value.sql}, ${text(pattern(wanted)).sql})`, "''");
    }),
    say(['string', 'string', 'integer'], 'string', (value, wanted, group) => {
      const index = written(group, 'the group', 0);
      return found(value, `regexp_extract(${value.sql}, ${text(pattern(wanted)).sql}, ${index})`, "''");
    }),
  ],
  regexp_replace: [
    say(['string', 'string', 'string'], 'string', () => no('it replaces the first match only, Athena every one')),
    say(['string', 'string', 'string', 'string'], 'string', (value, wanted, to, options) => {
      if (literal(options, 'the options') !== 'g') no("the options must be 'g'");
      const replacement = sharedReplacement(literal(to, 'the replacement'));
      if (replacement === undefined) no('the replacement refers to a group in a way that Athena does not read');
      return `regexp_replace(${value.sql}, ${text(pattern(wanted)).sql}, ${text(replacement).sql})`;
    }),
  ],
};
