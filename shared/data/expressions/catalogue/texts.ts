import { always, both, type CallSql, type FunctionEntry, literalText } from './entry.ts';

const text = { name: 'text', accepts: ['string'] } as const;
const nullable = 'Null gives null.';

/**
 * Engines write these letters in lower case by different rules: ICU looks at the end of the word for the sigma, and
 * makes two characters of the dotted I.
 */
const simpleCase = (sql: string) => `translate(${sql}, 'Σςİ', 'σσi')`;

/** The largest position that both engines accept. */
const MAX_POSITION = 2_147_483_647;

/** A position as 32-bit integer, at least `min`. Computed positions beyond the range count as its ends. */
function position({ operands, literals }: CallSql, index: number, min: number): string {
  const constant = literalText(literals[index]);
  if (constant !== '') return String(Math.max(min, Math.min(Number(constant), MAX_POSITION)));
  const value = operands[index];
  return `CAST(CASE WHEN ${value} < ${min} THEN ${min} WHEN ${value} > ${MAX_POSITION} THEN ${MAX_POSITION} ELSE ${value} END AS integer)`;
}

export const TEXT_FUNCTIONS: readonly FunctionEntry[] = [
  {
    name: 'LOWER',
    kind: 'scalar',
    parameters: [text],
    returns: always('string'),
    summary: 'The text in lower case, for all alphabets.',
    nulls: nullable,
    example: ['LOWER("Ärger")', '"ärger"'],
    emit: {
      duckdb: ({ args }) => `lower(${args[0]})`,
      postgres: ({ operands }) => `lower(${operands[0]} COLLATE "und-x-icu")`,
    },
  },
  {
    name: 'UPPER',
    kind: 'scalar',
    parameters: [text],
    returns: always('string'),
    summary: 'The text in upper case, for all alphabets.',
    nulls: nullable,
    example: ['UPPER("été")', '"ÉTÉ"'],
    emit: {
      duckdb: ({ args }) => `upper(${args[0]})`,
      postgres: ({ operands }) => `upper(${operands[0]} COLLATE "und-x-icu")`,
    },
  },
  {
    name: 'FOLD_CASE',
    kind: 'scalar',
    parameters: [text],
    returns: always('string'),
    summary:
      'The text without differences of upper and lower case, to compare texts by: all forms of the Greek sigma are one, and the Turkish dotted I is an i. Accents stay.',
    nulls: nullable,
    example: ['CONTAINS(FOLD_CASE("STRASSE"), FOLD_CASE("Asse"))', 'true'],
    emit: {
      duckdb: ({ args }) => `lower(${simpleCase(args[0]!)})`,
      postgres: ({ args }) => `lower(${simpleCase(args[0]!)} COLLATE "und-x-icu")`,
    },
  },
  {
    name: 'TRIM',
    kind: 'scalar',
    parameters: [text],
    returns: always('string'),
    summary: 'The text without the spaces at its beginning and end; tabs and line ends stay.',
    nulls: nullable,
    example: ['TRIM("  a b ")', '"a b"'],
    emit: { duckdb: ({ args }) => `trim(${args[0]}, ' ')`, postgres: ({ args }) => `btrim(${args[0]}, ' ')` },
  },
  {
    name: 'LENGTH',
    kind: 'scalar',
    parameters: [text],
    returns: always('integer'),
    summary: 'The number of characters (Unicode code points).',
    nulls: 'Null gives null; the empty text has 0 characters.',
    example: ['LENGTH("naïve")', '5'],
    emit: both(({ args }) => `length(${args[0]})`),
  },
  {
    name: 'CONCAT',
    kind: 'scalar',
    parameters: [text, { ...text, isOptional: true, isRepeated: true }],
    returns: always('string'),
    summary: 'The texts joined to one.',
    nulls: 'Null counts as the empty text, so the result is never null.',
    example: ['CONCAT("a", NULL, "b")', '"ab"'],
    emit: both(({ args }) => `concat(${args.join(', ')})`),
  },
  {
    name: 'SUBSTRING',
    kind: 'scalar',
    parameters: [
      text,
      { name: 'start', accepts: ['integer'] },
      { name: 'length', accepts: ['integer'], isOptional: true },
    ],
    returns: always('string'),
    summary:
      'The part of the text from the start position, which counts characters from 1, with at most the given length. A start below 1 counts as 1, and a length below 0 as 0.',
    nulls: nullable,
    example: ['SUBSTRING("hello", 2, 3)', '"ell"'],
    emit: both((call) => {
      const length = call.args.length > 2 ? `, ${position(call, 2, 0)}` : '';
      return `substring(${call.args[0]}, ${position(call, 1, 1)}${length})`;
    }),
  },
  {
    name: 'REPLACE',
    kind: 'scalar',
    parameters: [text, { ...text, name: 'search' }, { ...text, name: 'replacement' }],
    returns: always('string'),
    summary: 'The text with every occurrence of the searched text replaced; upper and lower case differ.',
    nulls: 'Null gives null; an empty search changes nothing.',
    example: ['REPLACE("banana", "an", "o")', '"booa"'],
    emit: both(({ args }) => `replace(${args.join(', ')})`),
  },
  {
    name: 'CONTAINS',
    kind: 'scalar',
    parameters: [text, { ...text, name: 'part' }],
    returns: always('boolean'),
    summary: 'Whether the text contains the part; upper and lower case differ.',
    nulls: 'Null gives null; every text contains the empty text.',
    example: ['CONTAINS("hello", "ELL")', 'false'],
    emit: {
      duckdb: ({ args }) => `contains(${args[0]}, ${args[1]})`,
      postgres: ({ args }) => `(strpos(${args[0]}, ${args[1]}) > 0)`,
    },
  },
  {
    name: 'STARTS_WITH',
    kind: 'scalar',
    parameters: [text, { ...text, name: 'part' }],
    returns: always('boolean'),
    summary: 'Whether the text begins with the part; upper and lower case differ.',
    nulls: 'Null gives null; every text begins with the empty text.',
    example: ['STARTS_WITH("hello", "he")', 'true'],
    emit: both(({ args }) => `starts_with(${args[0]}, ${args[1]})`),
  },
  {
    name: 'ENDS_WITH',
    kind: 'scalar',
    parameters: [text, { ...text, name: 'part' }],
    returns: always('boolean'),
    summary: 'Whether the text ends with the part; upper and lower case differ.',
    nulls: 'Null gives null; every text ends with the empty text.',
    example: ['ENDS_WITH("hello", "lo")', 'true'],
    emit: {
      duckdb: ({ args }) => `ends_with(${args[0]}, ${args[1]})`,
      postgres: ({ args }) => `(right(${args[0]}, length(${args[1]})) = ${args[1]})`,
    },
  },
];
