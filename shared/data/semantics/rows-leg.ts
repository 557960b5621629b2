import type { Typed } from '../expressions/index.ts';
import { type JoinGraph, joinGraph } from './join-graph.ts';
import { joinTables } from './joined-tables.ts';
import { homeOf, homeOfAggregate, type Leg, type LegsContext, tablesOf } from './legs.ts';
import type { SemanticModel } from './model.ts';
import { manyValues, noJoin, noRows, type PlanProblem } from './problems.ts';
import type { RowsQuestion } from './question.ts';
import { conditionsOnRows, rowsProblems, wantedLeaves } from './rows-condition.ts';

/** Which tables the rows of a table are joined with. No join adds rows or repeats those of the reply. */
export function planRowsLeg(
  { model, graph, restrictions }: LegsContext,
  question: RowsQuestion,
): { leg: Leg } | { problems: readonly PlanProblem[] } {
  const aliases = new Map(model.tables.map(({ id, alias }) => [id, alias]));
  const home = homeOfRows(model, graph, question);
  if (home === undefined || !aliases.has(home) || question.columns.length === 0) return { problems: [noRows()] };
  const ofTime = rowsProblems(question);
  if (ofTime.length > 0) return { problems: ofTime };
  const { group = [], joined: further = [] } = question;
  const one = graph.toOne(home);
  const columns = question.columns.map(({ tree, label }) => ({ label, tables: tablesOf([tree]) }));
  const others = new Set([
    ...columns.flatMap(({ tables }) => [...tables]),
    ...tablesOf([...conditionsOnRows(question), ...question.filters, ...group.map(({ tree }) => tree), ...further]),
  ]);
  const { joined, problems } = joinTables(graph, restrictions, { home, others, isAdding: false });
  const many = columns.filter(({ tables }) => [...tables].some((table) => !one.has(table)));
  const all = [
    ...problems.map((problem) => noJoin(problem, aliases)),
    ...many.map(({ label }) => manyValues(label, aliases.get(home)!)),
  ];
  if (all.length > 0) return { problems: all };
  return { leg: { ...joined, scope: { kind: 'group' }, aggregates: [] } };
}

/** The table whose rows a measure aggregates, if it is one. */
export const homeOfMeasure = (model: SemanticModel, measure: Typed): string | undefined =>
  homeOfRows(model, joinGraph(model), { measures: [measure], columns: [] });

/** The table of the question, or the only one whose rows its measures aggregate, or the finest of its columns. */
function homeOfRows(
  model: SemanticModel,
  graph: JoinGraph,
  { home, measures = [], columns }: Pick<RowsQuestion, 'home' | 'measures' | 'columns'>,
): string | undefined {
  if (home !== undefined) return home;
  const leaves = wantedLeaves({ measures });
  if (leaves.length === 0) return homeOf(graph, tablesOf(columns.map(({ tree }) => tree)));
  const homes = new Set(leaves.map(({ aggregate }) => homeOfAggregate(model, graph, tablesOf([aggregate]))));
  return homes.size === 1 ? [...homes][0] : undefined;
}
