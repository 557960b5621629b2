import {
  type ConstantValue,
  call,
  compare,
  constant,
  type DataType,
  isIn,
  isNull,
  logic,
  not,
  type Typed,
} from '../../../data/expressions/index.ts';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { addUnits, startOfUnit, TIME_GRAINS, timeUnit } from '../../../platform/schedule/fiscal-calendar.ts';
import type { FiscalCalendar } from '../../../platform/schedule/fiscal-years.ts';
import { localTimeOf } from '../../../platform/schedule/periods.ts';
import type { Operator } from './schemas.ts';

export interface Condition {
  op: Operator;
  values: readonly ConstantValue[];
  /** Whether upper and lower case of texts are the same. */
  ignoreCase?: boolean | undefined;
}

export interface Clock {
  now: Date;
  timezone: string;
}

interface CalendarClock extends Clock {
  /** That of fiscal periods. */
  calendar?: FiscalCalendar | null | undefined;
}

const COMPARISONS = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
const MAX_PERIODS = 10_000;

type Wrong = { issues: Issue[] };

const wrong = (message: string, pointer = '/values', code = 'INVALID'): Wrong => ({
  issues: [{ pointer, code, message }],
});

/** The condition on a value as an expression, or what is wrong with it. Pointers are relative to the filter. */
export function conditionOn(value: Typed, { op, values, ignoreCase }: Condition, clock: CalendarClock): Typed | Wrong {
  if (ignoreCase && (value.type !== 'string' || !ANY_CASE.has(op)))
    return wrong(`has no effect on ${op} of this field`, '/ignoreCase', 'CONFLICT');
  switch (op) {
    case 'is_null':
    case 'not_null':
      return values.length === 0 ? isNull(value, op === 'not_null') : wrong(`must be empty for ${op}`);
    case 'last_n':
    case 'this':
    case 'prev':
      return inPeriod(value, { op, values }, clock);
    case 'in_period':
      return inPeriodOf(value, values, clock);
    default: {
      const items = constantsFor(value.type as DataType, values);
      if (!Array.isArray(items)) return items;
      if (ignoreCase) return compared(folded(value), op, items.map(folded));
      return endedByDay(value, op, { items, end: values.at(-1) }) ?? compared(value, op, items);
    }
  }
}

/** The operators that can ignore case. */
const ANY_CASE: ReadonlySet<Operator> = new Set<Operator>([
  'eq',
  'ne',
  'in',
  'not_in',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
]);

const folded = (text: Typed): Typed => call('FOLD_CASE', [text], 'string');

function inPeriod(
  value: Typed,
  { op, values }: { op: keyof typeof RELATIVE; values: readonly ConstantValue[] },
  { now, timezone, calendar }: CalendarClock,
): Typed | Wrong {
  const { type } = value;
  if (type !== 'date' && type !== 'datetime') return wrong('needs a date or a datetime', '/op', 'TYPE');
  const wanted = relative(op, values);
  if (!wanted) return wrong(RELATIVE[op]);
  const { grain, count, back } = wanted;
  if (type === 'date' && isClockGrain(grain)) return wrong('needs a grain of a day or more for a date');
  const unit = timeUnit(grain, calendar);
  const current = startOfUnit(unit, localTimeOf(timezone, now));
  const start = (by: number) => localText(addUnits(unit, current, by));
  return between(value, start(1 - back - count), start(1 - back));
}

const isClockGrain = (grain: string) => grain === 'second' || grain === 'minute' || grain === 'hour';

/** In the time from the one local time until before the other. */
function between(value: Typed, from: string, to: string): Typed {
  const { type } = value;
  const bound = (text: string) => constant(type as DataType, type === 'date' ? text.slice(0, 10) : text)!;
  return logic('and', [compare('>=', value, bound(from)), compare('<', value, bound(to))]);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** In the period that a day is in. */
function inPeriodOf(value: Typed, [day, name, ...more]: readonly ConstantValue[], { calendar }: CalendarClock) {
  const { type } = value;
  if (type !== 'date' && type !== 'datetime') return wrong('needs a date or a datetime', '/op', 'TYPE');
  const grain = TIME_GRAINS.find((each) => each === name);
  const isDay = typeof day === 'string' && DAY.test(day) && constant('date', day) !== undefined;
  if (!isDay || !grain || isClockGrain(grain) || more.length > 0)
    return wrong('needs a date and a grain of a day or more, such as ["2026-02-01", "fiscal_quarter"]');
  const unit = timeUnit(grain, calendar);
  const start = startOfUnit(unit, Date.parse(`${day}T00:00:00Z`));
  return between(value, localText(start), localText(addUnits(unit, start, 1)));
}

/** The range of a datetime that ends with a day, or begins after it: all moments of the day belong to it. */
function endedByDay(
  value: Typed,
  op: Operator,
  { items, end }: { items: readonly Typed[]; end: ConstantValue | undefined },
): Typed | undefined {
  const midnight = value.type === 'datetime' && typeof end === 'string' && DAY.test(end) ? nextDay(end) : undefined;
  if (!midnight) return undefined;
  if (op === 'lte' && items.length === 1) return compare('<', value, midnight);
  if (op === 'gt' && items.length === 1) return compare('>=', value, midnight);
  const isRange = op === 'between' && items.length === 2;
  return isRange ? logic('and', [compare('>=', value, items[0]!), compare('<', value, midnight)]) : undefined;
}

const nextDay = (day: string): Typed | undefined =>
  constant('datetime', new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10));

/** Expressions know no earlier dates. */
const FIRST_DATE = new Date(0).setUTCFullYear(1, 0, 1);

/** As expressions write a time of day in the time zone of the question. */
const localText = (local: number): string =>
  new Date(Math.max(local, FIRST_DATE)).toISOString().slice(0, 19).replace('T', ' ');

/** A value as a constant of a type, or what is wrong with it. */
export function constantOf(type: Typed['type'], value: ConstantValue): Typed | Wrong {
  const made = constantsFor(type as DataType, [value]);
  return Array.isArray(made) ? made[0]! : made;
}

function constantsFor(type: DataType, values: readonly ConstantValue[]): Typed[] | Wrong {
  // Any value of a request is also a text.
  const found = values.map((each) => constant(type, type === 'string' ? String(each) : each));
  const unfit = found.indexOf(undefined);
  if (unfit >= 0) return wrong(`must be ${ARTICLES[type] ?? `a value of type ${type}`}`, `/values/${unfit}`, 'TYPE');
  return found as Typed[];
}

type Comparing = Exclude<Operator, 'is_null' | 'not_null' | 'in_period' | keyof typeof RELATIVE>;

function compared(value: Typed, op: Comparing, items: Typed[]): Typed | Wrong {
  const [first, second] = items;
  if (op === 'in' || op === 'not_in') {
    if (!first) return wrong(`needs at least one value for ${op}`);
    return op === 'in' ? isIn(value, items) : logic('or', [not(isIn(value, items)), isNull(value)]);
  }
  if (op === 'between') {
    if (!first || !second || items.length > 2) return wrong('needs two values for between');
    return logic('and', [compare('>=', value, first), compare('<=', value, second)]);
  }
  if (!first || second) return wrong(`needs one value for ${op}`);
  if (op === 'contains' || op === 'not_contains' || op === 'starts_with' || op === 'ends_with')
    return value.type === 'string' ? matched(value, op, first) : wrong('needs a text', '/op', 'TYPE');
  const comparison = compare(COMPARISONS[op], value, first);
  return op === 'ne' ? logic('or', [comparison, isNull(value)]) : comparison;
}

function matched(value: Typed, op: 'contains' | 'not_contains' | 'starts_with' | 'ends_with', part: Typed): Typed {
  if (op === 'not_contains') return logic('or', [not(matched(value, 'contains', part)), isNull(value)]);
  return call(op.toUpperCase(), [value, part], 'boolean');
}

const ARTICLES: Partial<Record<DataType, string>> = {
  boolean: 'true or false',
  date: 'a date such as 2026-01-31',
  datetime: 'a datetime such as 2026-01-31T10:30:00Z',
  integer: 'a number',
  decimal: 'a number',
  number: 'a number',
};

const RELATIVE = {
  last_n: 'needs a number from 1 to 10000 and a grain, such as [7, "day"]',
  this: 'needs a grain, such as ["month"]',
  prev: 'needs a grain, or a number and a grain, such as [3, "month"]',
};

function relative(op: keyof typeof RELATIVE, values: readonly ConstantValue[]) {
  const grain = TIME_GRAINS.find((each) => each === values.at(-1));
  const [number] = values;
  const hasNumber = values.length === 2;
  const isComplete = op === 'prev' || hasNumber === (op === 'last_n');
  if (!grain || values.length > 2 || !isComplete) return undefined;
  const count = hasNumber ? Number(number) : 1;
  if (!Number.isInteger(count) || count < 1 || count > MAX_PERIODS) return undefined;
  return { grain, count, back: op === 'prev' ? 1 : 0 };
}
