import { column, compare, convert, type Typed } from '../expressions/index.ts';
import { indent, type Lines, select, where } from './lines.ts';
import { added, timeField, truncated } from './moved-time.ts';
import { type Names, PARTS } from './names.ts';
import type { Labelled, Question, TimeDimension } from './question.ts';
import type { RunningScope } from './running-scope.ts';
import { axisPeriods } from './time-axis.ts';
import { boundsIn, isTimeOf } from './time-range.ts';
import type { Writer } from './writer.ts';

/** The first moment that counts in a period; undefined if all do until its end. */
export function beginningOf(scope: RunningScope, period: Typed, { grain }: TimeDimension): Typed | undefined {
  if (scope.kind === 'trailing') return added(scope.grain, -scope.count, added(grain, 1, period));
  if (!scope.grain) return undefined;
  const beginning = truncated(scope.grain, period, 'date');
  return period.type === 'datetime' ? convert(beginning, 'datetime') : beginning;
}

/**
 * The conditions on the rows of a trailing value, which reaches back to periods before those that the filters leave:
 * what bounds the time from below does not hold.
 */
export function withoutBeginning(
  filters: readonly Typed[],
  time: TimeDimension,
  dimensions: readonly Pick<Labelled, 'tree'>[],
): Typed[] {
  const field = timeField(time, dimensions);
  const isTime = isTimeOf(time);
  const ofFilter = (filter: Typed): Typed[] => {
    if (filter.kind === 'logic' && filter.operator === 'and') return filter.operands.flatMap(ofFilter);
    const bounds = boundsIn(filter, isTime);
    if (bounds.length < (filter.kind === 'between' ? 2 : 1)) return [filter];
    return bounds
      .filter(({ operator }) => operator !== '>' && operator !== '>=')
      .map(({ operator, value }) => compare(operator === '=' ? '<=' : operator, field, value));
  };
  return filters.flatMap(ofFilter);
}

/** Every period of the reply once: those with rows, and those of a dense axis. */
export function periods(time: TimeDimension, { names, writer }: { names: Names; writer: Writer }): Lines {
  const name = names.dimensions[time.position]!;
  const seen = [
    ...select([`${name} AS period`], !time.isDense),
    `FROM ${PARTS.seen}`,
    ...where([`${name} IS NOT NULL`]),
  ];
  return time.isDense ? [...seen, 'UNION', axisPeriods(time, writer)] : seen;
}

interface Spread {
  scope: RunningScope;
  question: Question;
  time: TimeDimension;
  names: Names;
  writer: Writer;
  /** The columns of the rows besides the dimensions. */
  columns: readonly string[];
  /** How many leading dimensions the rows have. */
  shown: number;
  isDistinct: boolean;
}

/** Every row once for each period that it counts in. What has no time stays by itself, where all rows count. */
export function spread(
  rows: Lines,
  { scope, question, time, names, writer, columns, shown, isDistinct }: Spread,
): Lines {
  const name = names.dimensions[time.position]!;
  const period = column('period', question.dimensions[time.position]!.tree.type);
  const since = beginningOf(scope, period, time);
  const sinceSql = since && writer.sql(since, (field) => ({ column: field }));
  const from = sinceSql ? `(SELECT period, ${sinceSql} AS since FROM ${PARTS.periods})` : PARTS.periods;
  return [
    ...select(
      [
        ...names.dimensions.slice(0, shown).map((each) => (each === name ? `periods.period AS ${name}` : each)),
        ...columns,
      ],
      isDistinct,
    ),
    'FROM (',
    ...indent(rows),
    ') AS earlier',
    `${scope.kind === 'cumulative' ? 'LEFT JOIN' : 'JOIN'} ${from} AS periods`,
    `  ON periods.period >= earlier.${name}${since ? ` AND periods.since <= earlier.${name}` : ''}`,
  ];
}
