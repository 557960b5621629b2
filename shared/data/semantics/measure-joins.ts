import { aggregatesOf, type Diagnostic, nodesOf, type Typed } from '../expressions/index.ts';
import { joinGraph } from './join-graph.ts';
import { joinTables } from './joined-tables.ts';
import { homeOfAggregate, homeProblem, tablesOf } from './legs.ts';
import type { SemanticModel } from './model.ts';
import { noJoin, type PlanProblem } from './problems.ts';
import { Restrictions } from './restrictions.ts';

/**
 * Why aggregates of a measure cannot be computed in any question, because of the relationships between the tables that
 * they read.
 */
export function joinDiagnostics(model: SemanticModel, measure: Typed): Diagnostic[] {
  const aggregates = new Set<Typed>(aggregatesOf(measure));
  const isWhole = (node: Typed) => node.kind === 'measure' || aggregates.has(node);
  const parts = [...nodesOf(measure, (node) => !isWhole(node))].filter(isWhole);
  return parts.flatMap((part) => {
    // The place of an aggregate in another measure is the reference to that one.
    const { from, to } = part;
    const problems = new Map(
      aggregatesOf(part).flatMap((aggregate) =>
        problemsOf(model, tablesOf([aggregate])).map(({ code, message }) => [message, code]),
      ),
    );
    return [...problems].map(([message, code]) => ({ code, severity: 'error' as const, message, from, to }));
  });
}

function problemsOf(model: SemanticModel, tables: ReadonlySet<string>): PlanProblem[] {
  const graph = joinGraph(model);
  const home = homeOfAggregate(model, graph, tables);
  if (home === undefined) return [homeProblem(model, graph, tables)];
  const { problems } = joinTables(graph, new Restrictions(model, graph), { home, others: tables });
  if (problems.length === 0) return [];
  const aliases = new Map(model.tables.map(({ id, alias }) => [id, alias]));
  return problems.map((problem) => noJoin(problem, aliases));
}
