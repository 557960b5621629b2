import { type FunctionRule, literal, notPortable, rule, same } from './function-table.ts';
import type { Typed } from './typed.ts';

const asTime = ({ sql, type }: Typed) => (type === 'date' ? `CAST(${sql} AS timestamp(6))` : sql);
const asDate = ({ sql, type }: Typed) => (type === 'date' ? sql : `CAST(${sql} AS date)`);

const PARTS: Record<string, (time: Typed) => string> = {
  year: ({ sql }) => `year(${sql})`,
  quarter: ({ sql }) => `quarter(${sql})`,
  month: ({ sql }) => `month(${sql})`,
  week: ({ sql }) => `week(${sql})`,
  day: ({ sql }) => `day(${sql})`,
  hour: (time) => `hour(${asTime(time)})`,
  minute: (time) => `minute(${asTime(time)})`,
  second: (time) => `second(${asTime(time)})`,
  // In DuckDB, Sunday is 0; Trino counts from Monday as 1, like ISO 8601.
  dow: ({ sql }) => `(day_of_week(${sql}) % 7)`,
  isodow: ({ sql }) => `day_of_week(${sql})`,
  doy: ({ sql }) => `day_of_year(${sql})`,
  isoyear: ({ sql }) => `year_of_week(${sql})`,
};
const OTHER_NAMES: Record<string, string> = {
  dayofweek: 'dow',
  weekday: 'dow',
  dayofyear: 'doy',
  dayofmonth: 'day',
  weekofyear: 'week',
};

/** Normalizes the name of a unit, for which DuckDB also accepts the plural. */
function unitOf(arg: Typed | undefined): string {
  const name = literal(arg, 'the unit').toLowerCase();
  return OTHER_NAMES[name] ?? name.replace(/s$/, '');
}

const partOf = (unit: string) =>
  PARTS[unit] ?? notPortable(`Athena cannot extract "${unit}" from a time in the same way`);
const part = [rule(['string', 'time'], 'integer', (unit, time) => partOf(unitOf(unit))(time!))];

const TRUNCATED = new Set(['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second']);

const truncated = [
  rule(['string', 'time'], 'timestamp', (unit, time) => {
    const name = unitOf(unit);
    if (!TRUNCATED.has(name)) notPortable(`Athena cannot truncate a time to "${name}" in the same way`);
    return `date_trunc('${name}', ${asTime(time!)})`;
  }),
];

const months = ({ sql }: Typed) => `(year(${sql}) * 12 + month(${sql}))`;

/** DuckDB counts the boundaries between two times, Trino the whole units that have passed. */
const BORDERS: Record<string, (from: Typed, to: Typed) => string> = {
  year: (from, to) => `(year(${to.sql}) - year(${from.sql}))`,
  quarter: (from, to) => {
    const quarters = ({ sql }: Typed) => `(year(${sql}) * 4 + quarter(${sql}))`;
    return `(${quarters(to)} - ${quarters(from)})`;
  },
  month: (from, to) => `(${months(to)} - ${months(from)})`,
  day: (from, to) => `date_diff('day', ${asDate(from)}, ${asDate(to)})`,
  ...Object.fromEntries(
    ['hour', 'minute', 'second'].map((unit) => [
      unit,
      (from: Typed, to: Typed) => {
        const cut = (time: Typed) => `date_trunc('${unit}', ${asTime(time)})`;
        return `date_diff('${unit}', ${cut(from)}, ${cut(to)})`;
      },
    ]),
  ),
};

const borders = [
  rule(['string', 'time', 'time'], 'integer', (unit, from, to) => {
    const name = unitOf(unit);
    return (BORDERS[name] ?? notPortable(`Athena cannot count the "${name}"s between times in the same way`))(
      from!,
      to!,
    );
  }),
];

/** Characters of a format in DuckDB, and in Trino's `date_format`. */
const FORMAT_SIGNS: Record<string, string> = {
  Y: '%Y',
  y: '%y',
  m: '%m',
  d: '%d',
  H: '%H',
  I: '%h',
  M: '%i',
  S: '%s',
  f: '%f',
  p: '%p',
  j: '%j',
  B: '%M',
  b: '%b',
  A: '%W',
  a: '%a',
  '%': '%%',
};

function formatted(time: Typed, format: string): string {
  const said = format.replace(/%(.?)/gs, (sign, letter: string) => {
    return FORMAT_SIGNS[letter] ?? notPortable(`Athena has no ${sign} in a format`);
  });
  return `date_format(${asTime(time)}, '${said.replaceAll("'", "''")}')`;
}

const named = (format: string): FunctionRule[] => [rule(['time'], 'string', (time) => formatted(time, format))];

export const TIME_FUNCTIONS: Record<string, FunctionRule[]> = {
  ...Object.fromEntries(
    [...Object.keys(PARTS), ...Object.keys(OTHER_NAMES)]
      .filter((name) => !['dow', 'doy'].includes(name))
      .map((name) => [name, [rule(['time'], 'integer', (time) => partOf(OTHER_NAMES[name] ?? name)(time))]]),
  ),
  date_part: part,
  datepart: part,
  date_trunc: truncated,
  datetrunc: truncated,
  date_diff: borders,
  datediff: borders,
  strftime: [
    rule(['time', 'string'], 'string', (time, format) => formatted(time, literal(format, 'the format'))),
    rule(['string', 'time'], 'string', (format, time) => formatted(time!, literal(format, 'the format'))),
  ],
  dayname: named('%A'),
  monthname: named('%B'),
  last_day: [same('last_day_of_month', ['time'], 'date')],
  epoch: [rule(['time'], 'double', (time) => `to_unixtime(${asTime(time)})`)],
};

/** `time + interval`, `date + days` and `date - date`; undefined for other operands. */
export function timeArithmetic(sign: '+' | '-', a: Typed, b: Typed): Typed | undefined {
  const isTime = (each: Typed) => each.type === 'date' || each.type === 'timestamp';
  if (sign === '+' && b.type !== 'interval' && isTime(b) && !isTime(a)) return timeArithmetic('+', b, a);
  if (!isTime(a)) return undefined;
  if (b.type === 'interval') {
    const count = sign === '+' ? b.sql : `-(${b.sql})`;
    return { sql: `date_add('${b.unit}', ${count}, ${asTime(a)})`, type: 'timestamp' };
  }
  if (a.type !== 'date') return undefined;
  if (b.type === 'integer') {
    return { sql: `date_add('day', ${sign === '+' ? b.sql : `-(${b.sql})`}, ${a.sql})`, type: 'date' };
  }
  return sign === '-' && b.type === 'date'
    ? { sql: `date_diff('day', ${b.sql}, ${a.sql})`, type: 'integer' }
    : undefined;
}

/** DuckDB's functions that create intervals, with the unit of each. */
export const INTERVALS: Record<string, string> = {
  to_years: 'year',
  to_quarters: 'quarter',
  to_months: 'month',
  to_weeks: 'week',
  to_days: 'day',
  to_hours: 'hour',
  to_minutes: 'minute',
};
