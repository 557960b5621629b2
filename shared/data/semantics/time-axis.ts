import type { PeriodGrain } from '../../platform/schedule/periods.ts';
import { type Lines, select } from './lines.ts';
import { LEVEL, type Names, PARTS } from './names.ts';
import type { Question, TimeDimension } from './question.ts';
import type { Writer } from './writer.ts';

/** Periods times groups of the other dimensions. A stray date in the year 1 must not make millions of rows. */
export const MAX_AXIS_ROWS = 10_000;

/** The fewest seconds that a period has. */
const SECONDS: Record<PeriodGrain, number> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 7 * 86_400,
  month: 28 * 86_400,
  quarter: 90 * 86_400,
  year: 365 * 86_400,
};

interface AxisContext {
  question: Question;
  time: TimeDimension;
  names: Names;
}

/** The first and the last period, or null for the last if there are too many between them. */
export function axis({ time, names }: AxisContext): Lines {
  const period = names.dimensions[time.position]!;
  const others = otherThan(names, period);
  const groups = others.length > 0 ? ` * (SELECT count(*) FROM (${distinct(others)}) AS others)` : '';
  const seconds = `extract(epoch FROM max(${period})) - extract(epoch FROM min(${period}))`;
  const rows = `((${seconds}) / ${SECONDS[time.grain]} + 1)${groups}`;
  return [
    ...select([
      `min(${period}) AS first_period`,
      `CASE WHEN ${rows} <= ${MAX_AXIS_ROWS} THEN max(${period}) END AS last_period`,
    ]),
    `FROM ${PARTS.seen}`,
  ];
}

/** Every period with every group of the other dimensions. */
export function dense(
  { question, time, names, writer }: AxisContext & { writer: Writer },
  values: readonly string[],
): Lines {
  const period = names.dimensions[time.position]!;
  const others = otherThan(names, period);
  const level = question.totals === 'none' ? [] : [`${names.dimensions.length} AS ${LEVEL}`];
  const named = names.dimensions.map((name) => (name === period ? `period AS ${name}` : name));
  const [first, last] = ['first_period', 'last_period'].map((name) => `(SELECT ${name} FROM ${PARTS.axis})`);
  return [
    ...select([...level, ...named, ...values]),
    `FROM (${writer.periods(first!, last!, time.grain)}) AS periods`,
    ...(others.length > 0 ? [`CROSS JOIN (${distinct(others)}) AS others`] : []),
  ];
}

/** Whether the axis has all of its periods. */
export const isFilled = `(SELECT first_period IS NULL OR last_period IS NOT NULL FROM ${PARTS.axis})`;

const otherThan = (names: Names, period: string) => names.dimensions.filter((name) => name !== period);

const distinct = (columns: readonly string[]) => `SELECT DISTINCT ${columns.join(', ')} FROM ${PARTS.seen}`;
