import { aggregatesOf, compare, isNull, logic, nestingOf, type Typed, type TypedCall } from '../expressions/index.ts';
import { isCount } from './combine-sql.ts';
import { type Leaf, Leaves, type Scope } from './leaves.ts';
import { timeProblems } from './legs.ts';
import { movedTime } from './moved-time.ts';
import type { PlanProblem } from './problems.ts';
import type { RowsQuestion } from './question.ts';
import { beginningOf, withoutBeginning } from './running.ts';

/**
 * The aggregates whose rows are wanted. Where a number compares a group with a total, its rows are those of the group.
 */
export function wantedLeaves({
  measures = [],
  calendar,
}: Pick<RowsQuestion, 'measures' | 'calendar'>): readonly Leaf[] {
  const leaves = new Leaves(calendar);
  for (const measure of measures) leaves.resolve(measure);
  const ofGroups = leaves.all.filter(({ scope }) => scope.kind !== 'total' && scope.kind !== 'parent');
  return ofGroups.length > 0 ? ofGroups : leaves.all;
}

export const rowsProblems = (question: RowsQuestion): PlanProblem[] =>
  wantedLeaves(question).flatMap((leaf) => timeProblems(leaf, question));

/**
 * The conditions on the rows that a number is computed from: those of any of its aggregates, each with its own filter
 * and period.
 */
export function conditionsOnRows(question: RowsQuestion): readonly Typed[] {
  const scopes = Map.groupBy(wantedLeaves(question), ({ scope }) => JSON.stringify(scope));
  const choices = [...scopes.values()].map((leaves) => {
    const own = leaves.flatMap(({ aggregate }) => partsOf(aggregate)).map(conditionsOf);
    const any = own.some((each) => each.length === 0)
      ? []
      : [
          logic(
            'or',
            own.map((each) => logic('and', each)),
          ),
        ];
    return [...conditionsIn(question, leaves[0]!.scope), ...any];
  });
  if (choices.length === 0) return conditionsIn(question, { kind: 'group' });
  if (choices.length === 1) return choices[0]!;
  return choices.some((each) => each.length === 0)
    ? []
    : [
        logic(
          'or',
          choices.map((each) => logic('and', each)),
        ),
      ];
}

/** The aggregates of rows that an aggregate is made from. */
const partsOf = (aggregate: TypedCall): TypedCall[] =>
  nestingOf(aggregate) ? aggregatesOf(aggregate.args[0]!) : [aggregate];

/** Which rows an aggregate takes in. A count leaves out the rows that it does not count. */
function conditionsOf(aggregate: TypedCall): Typed[] {
  const [counted] = isCount(aggregate) ? aggregate.args : [];
  return [...(aggregate.filter ? [aggregate.filter] : []), ...(counted ? [isNull(counted, true)] : [])];
}

function conditionsIn({ filters, group = [], time }: RowsQuestion, scope: Scope): Typed[] {
  const dimensions = group.map(({ tree }) => ({ tree }));
  const here = group.map(({ tree, value }) => (value ? compare('=', tree, value) : isNull(tree)));
  switch (scope.kind) {
    case 'group':
      return [...filters, ...here];
    case 'total':
    case 'parent':
      return [...filters];
    case 'prior': {
      const moved = movedTime({ time: time!, dimensions, filters }, scope);
      return [...moved.conditions, ...filters.map(moved.condition), ...here.map(moved.dimension)];
    }
    case 'cumulative':
    case 'trailing': {
      const { tree, value } = group[time!.position]!;
      if (!value) return scope.kind === 'trailing' ? [isNull(tree, true), ...here] : [...filters, ...here];
      const since = beginningOf(scope, value, time!);
      const kept = scope.kind === 'trailing' ? withoutBeginning(filters, time!, dimensions) : filters;
      const others = here.filter((_, index) => index !== time!.position);
      return [...kept, ...others, compare('<=', tree, value), ...(since ? [compare('>=', tree, since)] : [])];
    }
  }
}
