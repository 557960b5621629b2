import { readFiscalUnit } from '../../platform/schedule/fiscal-calendar.ts';
import { FISCAL_MONTHS, type FiscalCount } from '../../platform/schedule/fiscal-years.ts';
import { nestingOf, readsOf, type Typed, type TypedCall } from '../expressions/index.ts';
import { OF_PARTS } from './aggregate-parts.ts';
import type { JoinGraph } from './join-graph.ts';
import { type JoinedTables, joinTables } from './joined-tables.ts';
import type { Leaf, Scope } from './leaves.ts';
import type { SemanticModel } from './model.ts';
import { noHome, noJoin, type PlanProblem } from './problems.ts';
import type { Question } from './question.ts';
import type { Restrictions } from './restrictions.ts';
import { isRunning, reductionOf } from './running-scope.ts';
import { keyOf } from './tree-keys.ts';

/**
 * The aggregates of one table with the tables that group and filter their rows. Each leg is computed by itself, so that
 * the rows of one table never multiply those of another. An aggregate of aggregates has groups of its own within those
 * of the question, so it has a leg to itself. Running values whose rows are reduced in one way share a leg.
 */
export interface Leg extends JoinedTables {
  scope: Scope;
  aggregates: readonly TypedCall[];
}

export type Legs = { legs: readonly Leg[] } | { problems: readonly PlanProblem[] };

export interface LegsContext {
  model: SemanticModel;
  graph: JoinGraph;
  restrictions: Restrictions;
}

export function planLegs(
  { model, graph, restrictions }: LegsContext,
  question: Question,
  leaves: readonly Leaf[],
): Legs {
  const aliases = new Map(model.tables.map(({ id, alias }) => [id, alias]));
  const problems = new Map<string, PlanProblem>();
  const report = (problem: PlanProblem) => problems.set(problem.message, problem);

  const filtered = tablesOf(question.filters);
  const context = new Set([...tablesOf(question.dimensions.map(({ tree }) => tree)), ...filtered]);
  if (isEmpty(question) || (leaves.length === 0 && context.size === 0)) {
    const message = 'The question reads no field of a table. Add a dimension, or a measure that reads a field.';
    return { problems: [{ code: 5007, message }] };
  }
  for (const problem of leaves.flatMap((leaf) => timeProblems(leaf, question))) report(problem);
  const wanted = new Map<string, Wanted>();
  for (const { aggregate, scope } of leaves.flatMap(neededFor)) {
    const tables = tablesOf([aggregate]);
    const home = homeOfAggregate(model, graph, tables);
    if (home === undefined) {
      report(homeProblem(model, graph, tables));
      continue;
    }
    const key = JSON.stringify([home, scope, kindOfLeg(aggregate, scope)]);
    const leg = wanted.get(key) ?? { home, scope, aggregates: new Set() };
    leg.aggregates.add(aggregate);
    wanted.set(key, leg);
  }
  const list = (home: string) => wanted.set(home, { home, scope: { kind: 'group' }, aggregates: new Set() });
  if (leaves.length === 0) list(homeOf(graph, context) ?? [...context][0]!);
  // Totals alone say nothing of groups, so those with rows that the totals are about are listed.
  const hasGroups = question.dimensions.length > 0 || question.totals !== 'none';
  const isListed = [...wanted.values()].some(({ scope }) => scope.kind === 'group');
  if (hasGroups && !isListed) for (const { home } of [...wanted.values()]) list(home);

  /** A total is about the rows of all groups, so it takes part in the joins that drop rows. */
  const isSelecting = (home: string, table: string) => {
    const path = graph.path(home, table);
    return 'hops' in path && path.hops.some(({ joinType }) => joinType === 'inner');
  };
  const legs = [...wanted.values()].map(({ home, scope, aggregates }) => {
    const inputs = tablesOf([...aggregates]);
    const around =
      scope.kind === 'total' ? [...context].filter((id) => filtered.has(id) || isSelecting(home, id)) : context;
    const { joined, problems } = joinTables(graph, restrictions, { home, others: new Set([...inputs, ...around]) });
    for (const problem of problems) report(noJoin(problem, aliases));
    return { ...joined, scope, aggregates: [...aggregates] };
  });
  return problems.size > 0 ? { problems: [...problems.values()] } : { legs };
}

const isEmpty = ({ dimensions, measures }: Question) => dimensions.length + measures.length === 0;

export const tablesOf = (trees: readonly Typed[]) => new Set(trees.flatMap((tree) => readsOf(tree).tables));

/** What aggregates have in common that one leg computes. */
function kindOfLeg(aggregate: TypedCall, scope: Scope): string | undefined {
  if (nestingOf(aggregate)) return keyOf(aggregate);
  return isRunning(scope) ? reductionOf(aggregate) : undefined;
}

interface Wanted {
  home: string;
  scope: Scope;
  aggregates: Set<TypedCall>;
}

/**
 * The values that a leaf is made from. Only groups of the present are shown, so values of other periods need those too.
 * What is accumulated from its parts is made from the groups of the reply.
 */
function neededFor({ aggregate, scope }: Leaf): { aggregate: TypedCall; scope: Scope }[] {
  if (scope.kind === 'group' || scope.kind === 'total') return [{ aggregate, scope }];
  const group = { aggregate, scope: { kind: 'group' } } as const;
  return scope.kind === 'cumulative' && OF_PARTS[aggregate.name] ? [group] : [group, { aggregate, scope }];
}

export function timeProblems({ scope }: Leaf, { time }: Pick<Question, 'time'>): PlanProblem[] {
  if (scope.kind === 'group' || scope.kind === 'total' || scope.kind === 'parent') return [];
  const name = scope.kind.toUpperCase();
  if (!time) {
    return [{ code: 5005, message: `${name} needs a time dimension. Add a date with a grain to the dimensions.` }];
  }
  if (scope.kind === 'cumulative' || isWholePeriod(scope.grain, time.grain)) return [];
  const message = `${name} by ${scope.grain} needs a time dimension with the grain ${scope.grain} or a finer one that divides it, not ${time.grain.split('@')[0]}.`;
  return [{ code: 5005, message }];
}

const PARTS: Record<string, readonly string[]> = {
  day: ['second', 'minute', 'hour', 'day'],
  week: ['second', 'minute', 'hour', 'day', 'week'],
  month: ['second', 'minute', 'hour', 'day', 'month'],
  quarter: ['second', 'minute', 'hour', 'day', 'month', 'quarter'],
  year: ['second', 'minute', 'hour', 'day', 'month', 'quarter', 'year'],
};

/** Whether periods of the one grain consist of whole ones of the other. */
export function isWholePeriod(grain: string, part: string): boolean {
  if (grain === part) return true;
  const ofPart = readFiscalUnit(part);
  if (ofPart) return isWholeFiscal(grain, ofPart);
  const fiscal = readFiscalUnit(grain);
  if (!fiscal) return PARTS[grain]?.includes(part) ?? false;
  if (PARTS.day!.includes(part)) return true;
  return part === 'month' && !fiscal.weeks && fiscal.grain !== 'fiscal_week';
}

/**
 * Whether periods of the calendar, which moves by whole ones, keep those of a fiscal calendar together. Years of weeks
 * have different lengths, so that no number of days or months leads from one of their periods to the same of another.
 */
function isWholeFiscal(grain: string, { grain: part, weeks }: FiscalCount): boolean {
  if (part === 'fiscal_week') return grain === 'week';
  if (weeks || !PARTS[grain]) return false;
  return FISCAL_MONTHS[part] <= ({ month: 1, quarter: 3, year: 12 }[grain] ?? 0);
}

/** COUNT(*) reads no field; only a model of one table says what it counts. */
export function homeOfAggregate(
  { tables: [only, ...others] }: SemanticModel,
  graph: JoinGraph,
  tables: ReadonlySet<string>,
): string | undefined {
  return tables.size === 0 && others.length === 0 ? only?.id : homeOf(graph, tables);
}

/**
 * Why no table has rows that the aggregate could be about: two of its tables are not joined, or only as many to many.
 */
export function homeProblem(model: SemanticModel, graph: JoinGraph, tables: ReadonlySet<string>): PlanProblem {
  const aliases = new Map(model.tables.map(({ id, alias }) => [id, alias]));
  const [first, ...others] = tables;
  const paths = others.map((other) => graph.path(first!, other));
  const apart = paths.find((path) => 'problem' in path && path.problem.kind === 'none');
  if (apart && 'problem' in apart) return noJoin(apart.problem, aliases);
  return noHome([...tables].map((id) => aliases.get(id)!));
}

/** The table whose rows have at most one partner in each of the others: the finest of them. */
export function homeOf(graph: JoinGraph, tables: ReadonlySet<string>): string | undefined {
  const [first, ...others] = tables;
  if (others.length === 0) return first;
  return [...tables].find((table) => {
    const one = graph.toOne(table);
    return [...tables].every((other) => one.has(other));
  });
}
