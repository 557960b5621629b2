import type { TimeGrain, TimeUnit } from '../../platform/schedule/fiscal-calendar.ts';
import type { Typed } from '../expressions/index.ts';
import { indent, type Lines, select } from './lines.ts';
import { LEVEL, type Names, PARTS } from './names.ts';
import type { Question, TimeDimension } from './question.ts';
import { timeRange } from './time-range.ts';
import type { Writer } from './writer.ts';

/** Periods times groups of the other dimensions. A stray date in the year 1 must not make millions of rows. */
export const MAX_AXIS_ROWS = 10_000;

/** The fewest seconds that a period has. */
const SECONDS: Record<TimeGrain, number> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 7 * 86_400,
  month: 28 * 86_400,
  quarter: 90 * 86_400,
  year: 365 * 86_400,
  fiscal_week: 7 * 86_400,
  fiscal_period: 28 * 86_400,
  fiscal_quarter: 90 * 86_400,
  fiscal_year: 364 * 86_400,
};

const secondsOf = (unit: TimeUnit): number => SECONDS[unit.split('@')[0] as TimeGrain];

interface AxisContext {
  question: Question;
  time: TimeDimension;
  names: Names;
  writer: Writer;
}

/**
 * The first and the last period: those to which the filters reach, or else those with rows. The last one is null if
 * there are too many between them.
 */
export function axis({ question, time, names, writer }: AxisContext): Lines {
  const period = names.dimensions[time.position]!;
  const others = otherThan(names, period);
  const groups = others.length > 0 ? ` * (SELECT count(*) FROM (${distinct(others)}) AS others)` : '';
  const seconds = 'extract(epoch FROM last_period) - extract(epoch FROM first_period)';
  const isShort = `((${seconds}) / ${secondsOf(time.grain)} + 1)${groups} <= ${MAX_AXIS_ROWS}`;
  const { first, last } = timeRange(time, question);
  return [
    ...select([
      'first_period',
      `CASE WHEN ${isShort} THEN last_period END AS last_period`,
      `coalesce(${isShort}, TRUE) AS is_filled`,
    ]),
    'FROM (',
    ...indent([
      ...select([
        `${endOf('greatest', first, writer) ?? `(SELECT min(${period}) FROM ${PARTS.seen})`} AS first_period`,
        `${endOf('least', last, writer) ?? `(SELECT max(${period}) FROM ${PARTS.seen})`} AS last_period`,
      ]),
    ]),
    ') AS ends',
  ];
}

function endOf(choice: 'greatest' | 'least', trees: readonly Typed[], writer: Writer): string | undefined {
  const known = trees.map((tree) => writer.sql(tree, (field) => ({ column: field })));
  return known.length > 1 ? `${choice}(${known.join(', ')})` : known[0];
}

/** Every period with every group of the other dimensions. */
export function dense({ question, time, names, writer }: AxisContext, values: readonly string[]): Lines {
  const period = names.dimensions[time.position]!;
  const others = otherThan(names, period);
  const level = question.totals === 'none' ? [] : [`${names.dimensions.length} AS ${LEVEL}`];
  const named = names.dimensions.map((name) => (name === period ? `period AS ${name}` : name));
  return [
    ...select([...level, ...named, ...values]),
    `FROM (${axisPeriods(time, writer)}) AS periods`,
    ...(others.length > 0 ? [`CROSS JOIN (${distinct(others)}) AS others`] : []),
  ];
}

/** A query of all periods, in the column `period`. */
export function axisPeriods({ grain }: TimeDimension, writer: Writer): string {
  const [first, last] = ['first_period', 'last_period'].map((name) => `(SELECT ${name} FROM ${PARTS.axis})`);
  return writer.periods(first!, last!, grain);
}

/** Whether the axis has all of its periods. */
export const isFilled = `(SELECT is_filled FROM ${PARTS.axis})`;

const otherThan = (names: Names, period: string) => names.dimensions.filter((name) => name !== period);

const distinct = (columns: readonly string[]) => `SELECT DISTINCT ${columns.join(', ')} FROM ${PARTS.seen}`;
