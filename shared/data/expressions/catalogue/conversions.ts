import {
  ANY,
  always,
  both,
  CALENDAR,
  type CallSql,
  COMPARABLE,
  type FunctionEntry,
  literalText,
  NUMERIC,
} from './entry.ts';

/** At most 200 digits on each side of the point and two of the exponent, which every double can hold. */
const NUMBER = '^[+-]?(?:[0-9]{1,200}(?:[.][0-9]{0,200})?|[.][0-9]{1,200})(?:[eE][+-]?[0-9]{1,2})?$';

const YEAR = '(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])';
const LEAP = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)';
/** A pattern of the days of the calendar, with the leap years. */
export const CALENDAR_DAY = `(?:${YEAR}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|${LEAP}-02-29)`;
const DAY = `^${CALENDAR_DAY}$`;

const PARTS: Record<string, [pattern: string, place: number]> = {
  YYYY: ['([0-9]{4})', 0],
  MM: ['([0-9]{2})', 1],
  DD: ['([0-9]{2})', 2],
};
const SEPARATORS = /^[-/. ]?$/;

/** The parts of a date format in their order, and what is between them; undefined for another format. */
export function dateFormat(format: string): { parts: string[]; separators: string[] } | undefined {
  const pieces = format.split(/(YYYY|MM|DD)/);
  const parts = pieces.filter((_, index) => index % 2 === 1);
  const separators = pieces.filter((_, index) => index % 2 === 0);
  const isComplete = parts.length === 3 && new Set(parts).size === 3;
  const [before, first = '', second = '', after] = separators;
  if (!isComplete || before !== '' || after !== '' || !SEPARATORS.test(first) || !SEPARATORS.test(second))
    return undefined;
  return { parts, separators: [first, second] };
}

/** Writes the parts of the text as a date of ISO 8601. A text of another form becomes one that is no date. */
function isoText(text: string, format: string): string {
  const { parts, separators } = dateFormat(format)!;
  const [first, second, third] = parts.map((part) => PARTS[part]![0]);
  const [a, b] = separators.map((separator) => (separator === '' ? '' : `[${separator}]`));
  const place = (part: string) => `\\${parts.indexOf(part) + 1}`;
  const to = `${place('YYYY')}-${place('MM')}-${place('DD')}`;
  return `regexp_replace(${text}, '^(?:${first}${a}${second}${b}${third}|.*)$', '${to}')`;
}

function dateText(call: CallSql): string {
  const format = literalText(call.literals[1]);
  return format === '' || format === 'YYYY-MM-DD' ? call.args[0]! : isoText(call.args[0]!, format);
}

function duckdbText(call: CallSql): string {
  const [x] = call.args;
  const [operand] = call.operands;
  const type = call.types[0];
  if (type === 'string') return operand!;
  if (type === 'date') return `strftime(${x}, '%Y-%m-%d')`;
  if (type === 'datetime') return `strftime(${call.wall(0)}, '%Y-%m-%d %H:%M:%S')`;
  if (type === 'time') return `left(CAST(${x} AS VARCHAR), 8)`;
  // Adding zero turns -0 into 0.
  if (type === 'number') return `NULLIF(NULLIF(NULLIF(format('{:.15g}', ${operand} + 0e0), 'nan'), 'inf'), '-inf')`;
  return `CAST(${x} AS VARCHAR)`;
}

function postgresText(call: CallSql): string {
  const [x] = call.args;
  const type = call.types[0];
  if (type === 'string') return call.operands[0]!;
  if (type === 'date') return `to_char(${x}, 'YYYY-MM-DD')`;
  if (type === 'datetime') return `to_char(${call.wall(0)}, 'YYYY-MM-DD HH24:MI:SS')`;
  if (type === 'time') return `left(CAST(${x} AS text), 8)`;
  if (type === 'number') {
    const digits = `CAST(CAST(CAST(${x} AS numeric) AS double precision) AS text)`;
    return `NULLIF(NULLIF(NULLIF(${digits}, 'NaN'), 'Infinity'), '-Infinity')`;
  }
  return `CAST(${x} AS text)`;
}

const common = { name: 'value', accepts: ANY, isCommon: true } as const;
const ofCommon: FunctionEntry['returns'] = ([type]) => type ?? 'unknown';

export const CONVERSION_FUNCTIONS: readonly FunctionEntry[] = [
  {
    name: 'COALESCE',
    kind: 'scalar',
    parameters: [common, { ...common, isOptional: true, isRepeated: true }],
    returns: ofCommon,
    summary: 'The first value that is not null. All values have one type.',
    nulls: 'It is null only if all values are.',
    example: ['COALESCE(NULL, 2, 3)', '2'],
    emit: both(({ args }) => `COALESCE(${args.join(', ')})`),
  },
  {
    name: 'NULLIF',
    kind: 'scalar',
    parameters: [
      { ...common, accepts: [...COMPARABLE, 'boolean'] },
      { ...common, accepts: [...COMPARABLE, 'boolean'], name: 'other' },
    ],
    returns: ofCommon,
    summary: 'The first value, or null if both values are equal.',
    nulls: 'Null as the first value gives null; null as the other gives the first value.',
    example: ['NULLIF("", "")', 'null'],
    emit: both(({ args }) => `NULLIF(${args.join(', ')})`),
  },
  {
    name: 'TO_NUMBER',
    kind: 'scalar',
    parameters: [{ name: 'value', accepts: [...NUMERIC, 'string'] }],
    returns: always('number'),
    summary:
      'The value as a float. A text has digits, a point and an exponent, as in "-1234.5" or "1e6", with spaces around it.',
    nulls: 'Null gives null, and so does a text that is not a number.',
    example: ['TO_NUMBER("-1234.5")', '-1234.5'],
    emit: {
      duckdb: ({ args: [x], types: [type] }) =>
        type === 'string' ? `TRY_CAST(regexp_extract(trim(${x}, ' '), '${NUMBER}') AS DOUBLE)` : `CAST(${x} AS DOUBLE)`,
      postgres: ({ args: [x], types: [type] }) =>
        type === 'string'
          ? `CAST(substring(btrim(${x}, ' ') FROM '${NUMBER}') AS double precision)`
          : `CAST(${x} AS double precision)`,
    },
  },
  {
    name: 'TO_TEXT',
    kind: 'scalar',
    parameters: [{ name: 'value', accepts: [...COMPARABLE, 'boolean'] }],
    returns: always('string'),
    summary:
      'The value as text: "2026-01-31", "2026-01-31 10:30:00" (a datetime in the time zone of the query), "10:30:00", "true", all digits of exact numbers, and 15 significant digits of floats.',
    nulls: 'Null gives null, and so do NaN and infinities.',
    example: ['TO_TEXT(1.50)', '"1.50"'],
    emit: { duckdb: duckdbText, postgres: postgresText },
  },
  {
    name: 'TO_DATE',
    kind: 'scalar',
    parameters: [
      { name: 'value', accepts: ['string', ...CALENDAR] },
      { name: 'format', accepts: ['string'], literal: { is: 'dateFormat' }, isOptional: true },
    ],
    returns: always('date'),
    summary:
      'The date of a datetime in the time zone of the query, or of a text of the form "YYYY-MM-DD" or the given format: YYYY, MM and DD in any order, with nothing or one of - / . and space between them.',
    nulls: 'Null gives null, and so does a text that is not a valid date.',
    example: ['TO_DATE("31.12.2026", "DD.MM.YYYY")', '"2026-12-31"'],
    emit: {
      duckdb: (call) =>
        call.types[0] === 'string'
          ? `TRY_CAST(regexp_extract(${dateText(call)}, '${DAY}') AS DATE)`
          : `CAST(${call.wall(0)} AS DATE)`,
      postgres: (call) =>
        call.types[0] === 'string'
          ? `CAST(substring(${dateText(call)} FROM '${DAY}') AS date)`
          : `CAST(${call.wall(0)} AS date)`,
    },
  },
];
