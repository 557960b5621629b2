import { readFiscalUnit } from '../../../platform/schedule/fiscal-calendar.ts';
import type { DataType } from '../language/types.ts';
import { always, both, CALENDAR, type CallSql, type FunctionEntry, isClockUnit, literalText, UNITS } from './entry.ts';
import { fiscalBeginning } from './fiscal.ts';

const unit = { name: 'unit', accepts: ['string'], literal: { is: 'unit', units: UNITS } } as const;
const date = { name: 'date', accepts: CALENDAR } as const;
const nullable = 'Null gives null.';

const unitOf = (call: CallSql) => literalText(call.literals[0]).toLowerCase();

/** A date is converted first: Postgres would take it for an instant in the time zone of the session. */
function truncated(call: CallSql, index: number, unit: string): string {
  const wall = call.types[index] === 'date' ? `CAST(${call.args[index]} AS timestamp)` : call.wall(index);
  // Only questions to models have units of fiscal calendars.
  const fiscal = readFiscalUnit(unit);
  return fiscal ? fiscalBeginning(fiscal, wall) : `date_trunc('${unit}', ${wall})`;
}

/**
 * Clock units subtract what has passed since the unit began: a conversion of the truncated time of day back to an
 * instant would merge the two hours that are alike when clocks are set back.
 */
function truncate(call: CallSql): string {
  const wall = call.wall(1);
  const unit = unitOf(call);
  if (!isClockUnit(unit)) return `CAST(${truncated(call, 1, unit)} AS date)`;
  return `(${call.operands[1]} - (${wall} - date_trunc('${unit}', ${wall})))`;
}

/**
 * DuckDB counts back to the beginning of the period of a date: `date_trunc` makes a timestamp of each row, which takes
 * up to four times as long as all the rest of a group by. Infinite dates, which have no parts, stay as they are.
 */
const BEGINNINGS: Record<string, (date: string) => string> = {
  day: (date) => date,
  week: (date) => `COALESCE(${date} - CAST(isodow(${date}) - 1 AS integer), ${date})`,
  month: (date) => `COALESCE(${date} - CAST(day(${date}) - 1 AS integer), ${date})`,
  // Counting back takes several parts of the date, and no less time.
  quarter: (date) => `CAST(date_trunc('quarter', ${date}) AS date)`,
  year: (date) => `COALESCE(${date} - CAST(dayofyear(${date}) - 1 AS integer), ${date})`,
};

/** Another expression than a column is not repeated: nested ones would grow with each level. */
const COLUMN = /^"[^"]+"(\."[^"]+")?$/;
const STORED_IN_UTC = /^\(("[^"]+"(?:\."[^"]+")?) AT TIME ZONE 'UTC'\)$/;

function truncateInDuckdb(call: CallSql): string {
  const [, date = ''] = call.args;
  const beginning = BEGINNINGS[unitOf(call)];
  return beginning && (COLUMN.test(date) || STORED_IN_UTC.test(date))
    ? beginning(`CAST(${call.types[1] === 'date' ? date : call.wall(1)} AS date)`)
    : truncate(call);
}

/** A week has seven days and a quarter three months in every engine. */
const INTERVALS: Record<string, [number, string]> = { week: [7, 'day'], quarter: [3, 'month'] };

function add(call: CallSql): string {
  const unit = unitOf(call);
  const [count, word] = INTERVALS[unit] ?? [1, unit];
  const amount = literalText(call.literals[1]);
  const interval =
    amount === ''
      ? `CAST(${call.args[1]} AS integer) * INTERVAL '${count} ${word}'`
      : `INTERVAL '${Number(amount) * count} ${word}'`;
  if (call.types[2] === 'date') return `CAST(${call.operands[2]} + ${interval} AS date)`;
  return isClockUnit(unit) ? `(${call.operands[2]} + ${interval})` : call.instant(`(${call.wall(2)} + ${interval})`);
}

const part = (
  name: string,
  field: string,
  summary: string,
  example: [string, string],
  accepts: readonly DataType[] = CALENDAR,
): FunctionEntry => {
  const wall = (call: CallSql) => (call.types[0] === 'time' ? call.args[0] : call.wall(0));
  return {
    name,
    kind: 'scalar',
    parameters: [{ name: accepts === CALENDAR ? 'date' : 'time', accepts }],
    returns: always('integer'),
    summary,
    nulls: nullable,
    example,
    emit: {
      duckdb: (call) => `${PARTS_OF_DUCKDB[field] ?? field}(${wall(call)})`,
      postgres: (call) => `CAST(extract(${field} FROM ${wall(call)}) AS bigint)`,
    },
  };
};

/** Where DuckDB's function is not called as the field of EXTRACT. */
const PARTS_OF_DUCKDB: Record<string, string> = { doy: 'dayofyear' };
const CLOCK = ['datetime', 'time'] as const;

/** The language of a Postgres server does not change names that `to_char` writes without TM. */
const dateName = (unit: 'day' | 'month', example: [string, string]): FunctionEntry => ({
  name: `${unit.toUpperCase()}_NAME`,
  kind: 'scalar',
  parameters: [date],
  returns: always('string'),
  summary: `The English name of the ${unit === 'day' ? 'day of the week' : unit}.`,
  nulls: nullable,
  example,
  emit: {
    duckdb: (call) => `${unit}name(${call.wall(0)})`,
    postgres: (call) => `to_char(CAST(${call.wall(0)} AS timestamp), 'FM${unit === 'day' ? 'Day' : 'Month'}')`,
  },
});

const SECONDS: Record<string, number> = { second: 1, minute: 60, hour: 3600 };

const truncatedDay = (call: CallSql, index: number, unit: string) => `CAST(${truncated(call, index, unit)} AS date)`;

/** Seconds since 1970 in units, so that a new unit begins at the same moment in all time zones. */
function clockDifference(call: CallSql, unit: string, epoch: (instant: string) => string): string {
  const counted = (index: number) => `CAST(floor(${epoch(call.args[index]!)} / ${SECONDS[unit]}) AS bigint)`;
  return `(${counted(2)} - ${counted(1)})`;
}

function duckdbDifference(call: CallSql): string {
  const unit = unitOf(call);
  if (isClockUnit(unit)) return clockDifference(call, unit, (instant) => `epoch(${instant})`);
  if (unit !== 'week') return `date_diff('${unit}', ${call.wall(1)}, ${call.wall(2)})`;
  return `(date_diff('day', ${truncatedDay(call, 1, unit)}, ${truncatedDay(call, 2, unit)}) // 7)`;
}

function postgresDifference(call: CallSql): string {
  const unit = unitOf(call);
  if (isClockUnit(unit)) return clockDifference(call, unit, (instant) => `extract(epoch FROM ${instant})`);
  if (unit === 'week') return `((${truncatedDay(call, 2, unit)} - ${truncatedDay(call, 1, unit)}) / 7)`;
  const [from, to] = [call.wall(1), call.wall(2)];
  if (unit === 'day') return `(CAST(${to} AS date) - CAST(${from} AS date))`;
  const perYear = { year: 1, quarter: 4, month: 12 }[unit]!;
  const years = (each: string) => `extract(year FROM ${each})`;
  const counted = (each: string) =>
    perYear === 1 ? years(each) : `${years(each)} * ${perYear} + extract(${unit} FROM ${each})`;
  return `CAST(${counted(to)} - (${counted(from)}) AS bigint)`;
}

export const DATE_FUNCTIONS: readonly FunctionEntry[] = [
  {
    name: 'DATE_TRUNC',
    kind: 'scalar',
    parameters: [unit, date],
    returns: (types, literals) =>
      isClockUnit(literalText(literals[0]).toLowerCase()) ? (types[1] ?? 'unknown') : 'date',
    summary:
      'The first moment of the unit in which the date falls: a date for "day", "week" (from Monday), "month", "quarter" and "year"; a datetime for "second", "minute" and "hour", which need one.',
    nulls: nullable,
    example: ['DATE_TRUNC("week", DATE \'2026-01-01\')', '"2025-12-29"'],
    emit: { duckdb: truncateInDuckdb, postgres: truncate },
  },
  {
    name: 'DATE_ADD',
    kind: 'scalar',
    parameters: [unit, { name: 'amount', accepts: ['integer'] }, date],
    returns: (types) => types[2] ?? 'unknown',
    summary:
      'The date moved by units, backwards if the amount is negative. A day that the month does not have becomes its last day. Hours, minutes and seconds need a datetime.',
    nulls: nullable,
    example: ['DATE_ADD("month", 1, DATE \'2026-01-31\')', '"2026-02-28"'],
    emit: both(add),
  },
  {
    name: 'DATE_DIFF',
    kind: 'scalar',
    parameters: [unit, { ...date, name: 'from', isCommon: true }, { ...date, name: 'to', isCommon: true }],
    returns: always('integer'),
    summary:
      'How many times a new unit begins between the dates: from 31 December to 1 January it is 1 for "day", "month" and "year". It is negative if the first date is the later one.',
    nulls: nullable,
    example: ["DATE_DIFF(\"month\", DATE '2025-12-31', DATE '2026-01-01')", '1'],
    emit: { duckdb: duckdbDifference, postgres: postgresDifference },
  },
  part('YEAR', 'year', 'The year.', ["YEAR(DATE '2026-01-31')", '2026']),
  part('QUARTER', 'quarter', 'The quarter, 1 to 4.', ["QUARTER(DATE '2026-05-01')", '2']),
  part('MONTH', 'month', 'The month, 1 to 12.', ["MONTH(DATE '2026-05-01')", '5']),
  part('WEEK', 'week', 'The ISO week, 1 to 53: weeks begin on Monday, and week 1 has the first Thursday of the year.', [
    "WEEK(DATE '2026-12-31')",
    '53',
  ]),
  part('ISO_YEAR', 'isoyear', 'The year of the ISO week, which differs from YEAR in some days around New Year.', [
    "ISO_YEAR(DATE '2027-01-01')",
    '2026',
  ]),
  part('DAY', 'day', 'The day of the month, 1 to 31.', ["DAY(DATE '2026-01-31')", '31']),
  part('DAY_OF_WEEK', 'isodow', 'The day of the ISO week, from 1 for Monday to 7 for Sunday.', [
    "DAY_OF_WEEK(DATE '2026-01-31')",
    '6',
  ]),
  part('DAY_OF_YEAR', 'doy', 'The day of the year, 1 to 366.', ["DAY_OF_YEAR(DATE '2026-03-01')", '60']),
  dateName('day', ["DAY_NAME(DATE '2026-01-31')", '"Saturday"']),
  dateName('month', ["MONTH_NAME(DATE '2026-01-31')", '"January"']),
  part('HOUR', 'hour', 'The hour, 0 to 23.', ["HOUR(DATETIME '2026-01-31 22:30')", '22'], CLOCK),
  part('MINUTE', 'minute', 'The minute, 0 to 59.', ["MINUTE(DATETIME '2026-01-31 22:30')", '30'], CLOCK),
  {
    name: 'TODAY',
    kind: 'scalar',
    parameters: [],
    returns: always('date'),
    summary: 'The date of the query in its time zone.',
    nulls: 'It is never null.',
    example: ['DATE_DIFF("day", TODAY(), TODAY())', '0'],
    emit: both((call) => call.today()),
  },
  {
    name: 'NOW',
    kind: 'scalar',
    parameters: [],
    returns: always('datetime'),
    summary: 'The moment of the query, the same one everywhere in it.',
    nulls: 'It is never null.',
    example: ['NOW() >= TODAY()', 'true'],
    emit: both((call) => call.now()),
  },
];
